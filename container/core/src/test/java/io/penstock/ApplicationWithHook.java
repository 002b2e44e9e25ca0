package io.penstock;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A program that serves the WAR of its first argument, and exits. The WAR contains {@link Hooked} and {@link Late}. The temporary files of
 * the server are in the folder of the second argument.
 */
final class ApplicationWithHook {
    private ApplicationWithHook() {}

    @SuppressWarnings("resource") // the exit closes the server
    public static void main(String[] args) throws Exception {
        Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .stopOnExit(true)
                .temporary(Path.of(args[1]))
                .war("/", Path.of(args[0]))
                .start();
        System.exit(0);
    }

    /** Adds a shutdown hook, as database engines and JGit do. The hook needs a class after the server has stopped. */
    @WebListener
    public static final class Hooked implements ServletContextListener {
        private static final CountDownLatch ENDED = new CountDownLatch(1);

        @Override
        public void contextInitialized(ServletContextEvent event) {
            Runtime.getRuntime().addShutdownHook(new Thread(Hooked::lastWork));
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            System.out.println("application ended");
            ENDED.countDown();
        }

        private static void lastWork() {
            try {
                ENDED.await(); // the hook of the server runs now, so its thread is found
                for (Thread thread : Thread.getAllStackTraces().keySet()) {
                    if (thread.getName().equals("penstock-exit")) {
                        thread.join();
                    }
                }
                System.out.println(Late.text() + " " + (Hooked.class.getResource("/late.txt") != null));
            } catch (InterruptedException | LinkageError e) {
                System.out.println(e);
            }
        }
    }

    /** A class that only the shutdown hook uses. */
    public static final class Late {
        private Late() {}

        static String text() {
            return "hook has its classes";
        }
    }
}
