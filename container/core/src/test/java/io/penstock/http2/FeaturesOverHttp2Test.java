package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LeakCheck;
import io.penstock.Penstock;
import io.penstock.certificates.Issued;
import io.penstock.http2.Http2Client.Answer;
import io.penstock.limits.Counter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.zip.GZIPInputStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Features that do not depend on the protocol, on streams of one connection. */
final class FeaturesOverHttp2Test {
    private static final String TEXT = "A line of a text.\n".repeat(1_000);
    private static final int MANY = 10_000;

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    private static Penstock.Builder settings() {
        return Penstock.builder().host("127.0.0.1").port(0);
    }

    private Penstock.Builder files() throws IOException {
        Files.writeString(folder.resolve("text.txt"), TEXT);
        return settings().set("h2c", "on").war("/", folder);
    }

    @Test
    void aFileIsCompressedForAClientThatAcceptsIt() throws Exception {
        try (Penstock server = files().set("compression", "on").start();
                Http2Client client = Http2Client.connect(server.port())) {
            Answer plain = client.answer(client.get("/text.txt"));
            assertEquals(TEXT, plain.text());
            assertNull(plain.field("content-encoding"));
            Answer compressed = client.answer(client.get("/text.txt", "accept-encoding", "gzip"));
            assertEquals("gzip", compressed.field("content-encoding"));
            byte[] body = compressed.body.toByteArray();
            assertTrue(body.length < TEXT.length());
            assertEquals(
                    TEXT,
                    new String(
                            new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(),
                            StandardCharsets.US_ASCII));
        }
    }

    @Test
    void aFileHasRangesAndConditions() throws Exception {
        try (Penstock server = files().start();
                Http2Client client = Http2Client.connect(server.port())) {
            Answer part = client.answer(client.get("/text.txt", "range", "bytes=2-5"));
            assertEquals(206, part.status());
            assertEquals("line", part.text());
            assertEquals("bytes 2-5/" + TEXT.length(), part.field("content-range"));
            Answer parts = client.answer(client.get("/text.txt", "range", "bytes=0-0, 9012-9015"));
            assertEquals(206, parts.status());
            assertTrue(parts.field("content-type").startsWith("multipart/byteranges"), parts.field("content-type"));
            assertTrue(parts.text().contains("\r\n\r\ntext\r\n"), parts.text());
            Answer beyond = client.answer(client.get("/text.txt", "range", "bytes=" + TEXT.length() + "-"));
            assertEquals(416, beyond.status());
            String tag = part.field("etag");
            assertNotNull(tag);
            Answer unchanged = client.answer(client.get("/text.txt", "if-none-match", tag));
            assertEquals(304, unchanged.status());
            assertEquals(0, unchanged.body.size());
            Answer head = client.answer(client.request("HEAD", "/text.txt", true));
            assertEquals(Integer.toString(TEXT.length()), head.field("content-length"));
            assertEquals(0, head.body.size());
        }
    }

    private static final class Parts extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            for (Part part : request.getParts()) {
                response.getWriter().print(part.getName() + " " + part.getSize() + "\n");
            }
            response.getWriter().print(request.getParameter("note"));
        }
    }

    @Test
    void theFormOfAnUploadHasItsParts() throws Exception {
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        String disposition = "--b\r\nContent-Disposition: form-data; name=";
        form.writeBytes((disposition + "\"note\"\r\n\r\na note\r\n").getBytes(StandardCharsets.US_ASCII));
        form.writeBytes((disposition + "\"file\"; filename=\"f.bin\"\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        form.writeBytes(new byte[50_000]);
        form.writeBytes("\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII));
        byte[] body = form.toByteArray();
        try (Penstock server = settings()
                        .set("h2c", "on")
                        .context(
                                "/",
                                context ->
                                        context.servlet("parts", new Parts(), new MultipartConfigElement(""), "/parts"))
                        .start();
                Http2Client client = Http2Client.connect(server.port())) {
            int stream = client.post("/parts", "content-type", "multipart/form-data; boundary=b");
            for (int at = 0; at < body.length; at += Frame.MAX_PAYLOAD) {
                int end = Math.min(body.length, at + Frame.MAX_PAYLOAD);
                client.data(stream, Arrays.copyOfRange(body, at, end), end == body.length);
            }
            assertEquals("note 6\nfile 50000\na note", client.answer(stream).text());
        }
    }

    private static final class Host extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(request.getServerName());
        }
    }

    private static Answer get(Http2Client client, String host) throws IOException {
        int stream = client.nextStream();
        client.frame(
                Frame.HEADERS,
                Frame.END_HEADERS | Frame.END_STREAM,
                stream,
                Http2Client.block(":method", "GET", ":scheme", "https", ":authority", host, ":path", "/"));
        return client.answer(stream);
    }

    /** Clients use one connection for all hosts of its certificate (RFC 9113 section 9.1.1). */
    @Test
    void aConnectionServesTheHostsOfItsCertificateAndAnswers421ForOthers() throws Exception {
        Issued issued = Issued.self(Issued.EC, "one.example", "two.example");
        Path both = Files.writeString(folder.resolve("both.pem"), issued.pem() + issued.keyPem());
        try (Penstock server = settings()
                        .set("tls-cert", both.toString())
                        .context("/", context -> context.servlet("host", new Host(), "/*"))
                        .start();
                Http2Client client = Http2Client.overTls(server.port(), "one.example")) {
            assertEquals("one.example", get(client, "one.example").text());
            assertEquals("two.example", get(client, "two.example:8443").text());
            assertEquals(421, get(client, "three.example").status());
            assertEquals("two.example", get(client, "two.example").text());
        }
    }

    /** Counts the requests of a session. */
    private static final class Visits extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            Integer before = (Integer) session.getAttribute("visits");
            int now = before == null ? 1 : before + 1;
            session.setAttribute("visits", now);
            response.getWriter().print(now);
        }
    }

    private static final class SessionsByTls implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            event.getServletContext().setSessionTrackingModes(EnumSet.of(SessionTrackingMode.SSL));
        }
    }

    @Test
    void theStreamsOfATlsConnectionHaveOneSessionIfTlsTracksSessions() throws Exception {
        try (Penstock server = settings()
                .set("tls-self-signed", "on")
                .context("/", context -> {
                    context.listener(new SessionsByTls());
                    context.servlet("visits", new Visits(), "/*");
                })
                .start()) {
            try (Http2Client client = Http2Client.overTls(server.port())) {
                Answer first = client.answer(client.get("/"));
                assertEquals("1", first.text());
                assertNull(first.field("set-cookie"));
                assertEquals("2", client.answer(client.get("/")).text());
            }
            try (Http2Client other = Http2Client.overTls(server.port())) {
                assertEquals("1", other.answer(other.get("/")).text());
            }
        }
    }

    /** A stream is a request. */
    @Test
    void theRateOfRequestsOfAnAddressIsLimited() throws Exception {
        try (Penstock server = files().set("request-rate", "1")
                        .set("request-burst", "5")
                        .start();
                Http2Client client = Http2Client.connect(server.port())) {
            Answer last = client.answer(client.request("HEAD", "/text.txt", true));
            for (int i = 0; i < MANY && last.status() == 200; i++) {
                last = client.answer(client.request("HEAD", "/text.txt", true));
            }
            assertEquals(429, last.status());
            assertNotNull(last.field("retry-after"));
        }
    }

    private static final class Waiting extends HttpServlet {
        private final Semaphore inside;
        private final Semaphore mayReturn;

        Waiting(Semaphore inside, Semaphore mayReturn) {
            this.inside = inside;
            this.mayReturn = mayReturn;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            inside.release();
            mayReturn.acquireUninterruptibly();
        }
    }

    /** The dump shows all requests of a connection. */
    @Test
    void aBulkheadLimitsTheStreamsOfItsPathAndNoOthers() throws Exception {
        Semaphore inside = new Semaphore(0);
        Semaphore mayReturn = new Semaphore(0);
        try (Penstock server = files().set("/slow:max-workers", "1")
                        .set("/slow:max-queued", "1")
                        .context("/slow", context -> context.servlet("slow", new Waiting(inside, mayReturn), "/*"))
                        .start();
                Http2Client client = Http2Client.connect(server.port())) {
            try {
                int running = client.get("/slow/running");
                inside.acquire();
                int waiting = client.get("/slow/waiting");
                assertEquals(503, client.answer(client.get("/slow/refused")).status());
                assertEquals(1, server.counters().get(Counter.BULKHEAD_FULL.id()));
                assertEquals(200, client.answer(client.get("/text.txt")).status());
                String dump = server.dump();
                assertTrue(dump.contains("/slow/running") && dump.contains("/slow/waiting"), dump);
                mayReturn.release(2);
                assertEquals(200, client.answer(running).status());
                assertEquals(200, client.answer(waiting).status());
            } finally {
                mayReturn.release(2);
            }
        }
    }

    private static final class Client extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter()
                    .print(request.getRemoteAddr() + " " + request.getRequestURL() + " " + request.isSecure());
        }
    }

    /** Each stream may have another client. */
    @Test
    void theFieldsOfATrustedProxyNameTheClientOfEachStream() throws Exception {
        try (Penstock server = settings()
                        .set("h2c", "on")
                        .set("trusted-proxies", "127.0.0.1")
                        .context("/", context -> context.servlet("client", new Client(), "/*"))
                        .start();
                Http2Client client = Http2Client.connect(server.port())) {
            for (String address : List.of("192.0.2.1", "192.0.2.2")) {
                Answer answer = client.answer(client.get(
                        "/cart",
                        "x-forwarded-for",
                        address,
                        "x-forwarded-proto",
                        "https",
                        "x-forwarded-host",
                        "shop.example"));
                assertEquals(address + " https://shop.example/cart true", answer.text());
            }
            assertEquals(
                    "127.0.0.1 http://localhost/cart false",
                    client.answer(client.get("/cart")).text());
        }
    }

    @Test
    void eachStreamIsAnEventOfTheFlightRecorder() throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("io.penstock.Request").withThreshold(Duration.ZERO);
            try (Penstock server = files().start();
                    Http2Client client = Http2Client.connect(server.port())) {
                recording.start();
                assertEquals(200, client.answer(client.get("/text.txt")).status());
                assertEquals(404, client.answer(client.get("/missing")).status());
            }
            Path file = folder.resolve("streams.jfr");
            recording.dump(file);
            assertEquals(
                    List.of("1 /text.txt 200", "3 /missing 404"),
                    RecordingFile.readAllEvents(file).stream()
                            .filter(event -> event.getEventType().getName().equals("io.penstock.Request"))
                            .map(event -> event.getString("id").replaceFirst("c[0-9]+-", "") + " "
                                    + event.getString("path") + " " + event.getInt("status"))
                            .sorted()
                            .toList());
        }
    }
}
