package io.penstock;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The example program of the user guide, with a servlet that sends back each byte of the request body immediately. The program prints its
 * port. When its application is destroyed, the program prints another line.
 */
final class StoppedProgram {
    private StoppedProgram() {}

    public static void main(String[] args) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .stopOnExit(true)
                .context("/", context -> context.servlet("echo", new EachByte(), "/echo")
                        .servletInitParam("echo", "penstock.streaming", "true")
                        .listener(new Ended()))
                .start()) {
            if (args.length > 0) { // a second shutdown hook that also closes the server
                Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            }
            System.out.println(server.port());
            server.await();
        }
    }

    private static final class EachByte extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            InputStream in = request.getInputStream();
            OutputStream out = response.getOutputStream();
            for (int octet = in.read(); octet >= 0; octet = in.read()) {
                out.write(octet);
                out.flush();
            }
        }
    }

    private static final class Ended implements ServletContextListener {
        @Override
        public void contextDestroyed(ServletContextEvent event) {
            System.out.println("application ended");
        }
    }
}
