# A program whose code is data of an interpreter.
import sys
import threading

counted = 0
lock = threading.Lock()


def count():
    global counted
    for _ in range(10):
        with lock:
            counted += 1


threads = [threading.Thread(target=count) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(0 if counted == 20 else 1)
