// A program whose code is made while it runs.
public class Opaque {
    static int counted = 0;

    static synchronized void count() {
        counted++;
    }

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[2];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> { for (int i = 0; i < 10; i++) count(); });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        System.exit(counted == 20 ? 0 : 1);
    }
}
