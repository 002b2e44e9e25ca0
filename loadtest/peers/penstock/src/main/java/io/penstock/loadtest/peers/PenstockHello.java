package io.penstock.loadtest.peers;

import io.penstock.Penstock;

/** {@link HelloServlet} on Penstock with four workers: {@code java -jar penstock-hello.jar PORT}. */
public final class PenstockHello {
    private PenstockHello() {}

    public static void main(String[] args) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .workers(4)
                .context("/", context -> context.servlet("hello", new HelloServlet(), "/hello"))
                .start()) {
            server.await();
        }
    }
}
