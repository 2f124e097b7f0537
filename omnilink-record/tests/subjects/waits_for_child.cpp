// Waits for a child that tells by a file that it is there, and ends when it finds another one.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int, char **argv) {
    const pid_t child = fork();
    if (child == 0) {
        close(open(argv[1], O_CREAT | O_WRONLY, 0600));
        while (access(argv[2], F_OK)) usleep(1000);
        _exit(0);
    }
    return waitpid(child, nullptr, 0) == child ? 0 : 1;
}
