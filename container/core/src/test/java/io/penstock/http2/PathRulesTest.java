package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.limits.Counter;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for the addresses of clients and for bodies, of the server and of paths, hold in whatever form a request comes. */
final class PathRulesTest {
    private static final String ANN = "192.0.2.1";
    private static final String BOB = "2001:db8::2";

    /** The forms of a request. */
    private enum Form {
        HTTP_1,
        HTTP_2,
        WEBSOCKET_OVER_HTTP_1,
        WEBSOCKET_OVER_HTTP_2;

        private boolean isWebSocket() {
            return this == WEBSOCKET_OVER_HTTP_1 || this == WEBSOCKET_OVER_HTTP_2;
        }

        /** The status of a request that an application gets. */
        private int ok() {
            return this == WEBSOCKET_OVER_HTTP_1 ? 101 : 200;
        }

        /** The status of the response to a client of this address, as the trusted proxy names it. */
        private int status(Penstock server, String path, String client) throws IOException {
            if (this == HTTP_1 || this == WEBSOCKET_OVER_HTTP_1) {
                String kind = isWebSocket()
                        ? "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                        : "Connection: close\r\n";
                return http1(
                        server,
                        "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: " + client + "\r\n" + kind
                                + "\r\n");
            }
            try (Http2Client http2 = Http2Client.connect(server.port())) {
                int stream = isWebSocket()
                        ? http2.request("CONNECT", path, false, ":protocol", "websocket", "x-forwarded-for", client)
                        : http2.get(path, "x-forwarded-for", client);
                http2.await(Frame.HEADERS, stream);
                return http2.of(stream).status();
            }
        }
    }

    private static int http1(Penstock server, String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
            return Integer.parseInt(line.substring(9));
        }
    }

    /** Reads the body, or accepts the other protocol. */
    private static final class Accepting extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            if (request.getHeader("Upgrade") == null) {
                response.getWriter().print(request.getInputStream().readAllBytes().length);
            } else {
                response.setHeader("Upgrade", "websocket");
                response.setHeader("Connection", "Upgrade");
                request.upgrade(Counting.class);
            }
        }
    }

    /** The other protocol: says how many bytes have arrived, as soon as those are a hundred. */
    public static final class Counting implements HttpUpgradeHandler, ReadListener {
        private WebConnection connection;
        private ServletInputStream in;
        private int arrived;

        @Override
        public void init(WebConnection begun) {
            connection = begun;
            try {
                in = begun.getInputStream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            in.setReadListener(this);
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] some = new byte[100];
            while (in.isReady()) {
                int count = in.read(some);
                if (count < 0) {
                    return;
                }
                arrived += count;
            }
            if (arrived == 100) {
                connection.getOutputStream().write("100".getBytes(StandardCharsets.US_ASCII));
                connection.getOutputStream().flush();
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            try {
                connection.close();
            } catch (Exception e) {
                throw new IOException(e);
            }
        }

        @Override
        public void onError(Throwable failure) {
            // The client has closed.
        }

        @Override
        public void destroy() {
            // Nothing is held.
        }
    }

    private static Penstock.Builder settings() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("h2c", "on")
                .set("trusted-proxies", "127.0.0.1")
                .context("/app", context -> context.servlet("accepting", new Accepting(), "/*"));
    }

    @ParameterizedTest
    @EnumSource
    void aPathHasItsOwnAddresses(Form form) throws Exception {
        try (Penstock server = settings()
                .set("denied-addresses", "198.51.100.9")
                .set("/app/inner:allowed-addresses", "192.0.2.0/24, 198.51.100.0/24")
                .set("/app/inner:denied-addresses", "192.0.2.9")
                .set("/app/inner/open:allowed-addresses", "all")
                .start()) {
            assertEquals(form.ok(), form.status(server, "/app/who", BOB));
            assertEquals(form.ok(), form.status(server, "/app/inner/a", ANN));
            for (String path : List.of("/app/inner", "/app/inner/a", "/app/%69nner/a", "/app/x/../inner;v=1/a")) {
                assertEquals(403, form.status(server, path, BOB), path);
            }
            assertEquals(403, form.status(server, "/app/inner/a", "192.0.2.9"));
            assertEquals(403, form.status(server, "/app/inner/a", "unknown"));
            assertEquals(form.ok(), form.status(server, "/app/inner/open", BOB));
            assertEquals(403, form.status(server, "/app/who", "198.51.100.9"), "the server denies it");
            assertEquals(7, server.counters().get(Counter.ADDRESSES_DENIED.id()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyRequestsFromAllowedAddressesAreServed(Form form) throws Exception {
        try (Penstock server = settings()
                .set("allowed-addresses", "192.0.2.0/24")
                .set("/app/inner:allowed-addresses", "all")
                .start()) {
            assertEquals(form.ok(), form.status(server, "/app/a", ANN));
            assertEquals(403, form.status(server, "/app/a", BOB));
            assertEquals(403, form.status(server, "/app/inner/a", BOB), "the server does not allow it");
        }
    }

    /** Only a client that is no trusted proxy has its own address. */
    @ParameterizedTest
    @EnumSource
    void aClientCannotChooseItsAddress(Form form) throws Exception {
        try (Penstock server = settings()
                .set("trusted-proxies", "10.0.0.1")
                .set("/app/inner:allowed-addresses", "192.0.2.0/24")
                .start()) {
            assertEquals(403, form.status(server, "/app/inner/a", ANN));
            assertEquals(form.ok(), form.status(server, "/app/a", ANN));
        }
    }

    private static Penstock limited() throws Exception {
        return settings()
                .set("body-limit", "100")
                .set("/app/upload:body-limit", "200")
                .set("/app/upload/small:body-limit", "10")
                .start();
    }

    /** @param declared whether the head has the length of the body */
    private static int upload(Penstock server, String path, int length, boolean declared) throws IOException {
        try (Http2Client client = Http2Client.connect(server.port())) {
            int stream = declared ? client.post(path, "content-length", Integer.toString(length)) : client.post(path);
            client.data(stream, new byte[length], true);
            return client.answer(stream).status();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPathHasItsOwnLargestBodyOverHttp2(boolean declared) throws Exception {
        try (Penstock server = limited()) {
            assertEquals(200, upload(server, "/app/a", 100, declared));
            assertEquals(413, upload(server, "/app/a", 101, declared));
            assertEquals(200, upload(server, "/app/upload/b", 200, declared));
            assertEquals(413, upload(server, "/app/upload/b", 201, declared));
            assertEquals(200, upload(server, "/app/upload/small", 10, declared));
            assertEquals(413, upload(server, "/app/upload/small", 11, declared));
        }
    }

    /** The bytes of the other protocol are no body. */
    @ParameterizedTest
    @EnumSource(
            value = Form.class,
            names = {"WEBSOCKET_OVER_HTTP_1", "WEBSOCKET_OVER_HTTP_2"})
    void theLargestBodyDoesNotBoundAWebSocket(Form form) throws Exception {
        try (Penstock server = limited()) {
            String counted = form == Form.WEBSOCKET_OVER_HTTP_1 ? countedOverHttp1(server) : countedOverHttp2(server);
            assertEquals("100", counted);
        }
    }

    private static String countedOverHttp1(Penstock server) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            String head = "GET /app/upload/small HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\n\r\n";
            socket.getOutputStream().write((head + "x".repeat(100)).getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder all = new StringBuilder();
            while (!all.toString().contains("\r\n\r\n")) {
                int next = socket.getInputStream().read();
                assertTrue(next >= 0, all::toString);
                all.append((char) next);
            }
            return new String(socket.getInputStream().readNBytes(3), StandardCharsets.ISO_8859_1);
        }
    }

    private static String countedOverHttp2(Penstock server) throws IOException {
        try (Http2Client client = Http2Client.connect(server.port())) {
            int stream = client.request("CONNECT", "/app/upload/small", false, ":protocol", "websocket");
            client.data(stream, new byte[100], false);
            client.await(Frame.DATA, stream);
            return client.of(stream).text();
        }
    }
}
