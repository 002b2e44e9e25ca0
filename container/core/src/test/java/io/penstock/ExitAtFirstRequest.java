package io.penstock;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A program that exits at its first request. Its argument is the path of a Unix domain socket. During the start of its application, the
 * program prints a line and waits for a byte from standard input. When the application has ended, the program prints another line.
 */
final class ExitAtFirstRequest {
    private ExitAtFirstRequest() {}

    public static void main(String[] args) throws Exception {
        Penstock server = Penstock.builder()
                .set("listen", "unix:" + args[0])
                .workers(2)
                .stopOnExit(true)
                .context(
                        "/", context -> context.servlet("exit", new Exit(), "/").listener(new Waiting()))
                .start();
        server.await();
    }

    private static final class Exit extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            new Thread(() -> System.exit(0)).start();
        }
    }

    private static final class Waiting implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            System.out.println("application begun");
            try {
                System.in.read();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            System.out.println("application ended");
        }
    }
}
