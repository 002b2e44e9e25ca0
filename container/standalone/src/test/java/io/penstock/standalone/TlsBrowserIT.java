package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import io.penstock.testing.HeadlessBrowser;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.websocket.WebSockets;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.chrome.ChromeDriver;

/** Tests a page, large uploads and downloads, and a WebSocket with a browser. All of them use TLS. */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER, Program.OPENSSL})
class TlsBrowserIT {
    private static final int LARGE = 20_000_000;

    @TempDir
    static Path folder;

    private static final BlockingQueue<String> HANDSHAKES = new LinkedBlockingQueue<>();

    private static Penstock server;
    private static ChromeDriver browser;

    private static final class PageServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getServletPath().equals("/large")) {
                response.setContentLength(LARGE);
                response.getOutputStream().write(new byte[LARGE]);
                return;
            }
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter()
                    .print("<!DOCTYPE html><title>"
                            + request.getAttribute("jakarta.servlet.request.secure_protocol")
                            + "</title><p>A page.</p>");
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(request.getInputStream().readAllBytes().length);
        }
    }

    /** Notes the protocol of each handshake, before the endpoint gets it. */
    private static final class HandshakeListener implements ServletRequestListener {
        @Override
        public void requestInitialized(ServletRequestEvent event) {
            HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
            if (request.getRequestURI().equals("/echo")) {
                HANDSHAKES.add(request.getProtocol());
            }
        }
    }

    @BeforeAll
    static void start() throws Exception {
        Path certificate = new TestAuthority(folder).server();
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(4)
                .set("tls-cert", certificate.toString())
                .set("tls-key", TestAuthority.key(certificate).toString())
                .set("body-limit", "100M")
                .context("/", context -> context.servlet("page", new PageServlet(), "/page", "/large")
                        .listener(new HandshakeListener())
                        .initializer(WebSockets.endpoints(EchoEndpoint.class)))
                .start();
        String key = keyDigest(certificate);
        browser = HeadlessBrowser.start(options ->
                // The browser does not know the authority. This option makes the browser trust the key of the server.
                options.addArguments("--ignore-certificate-errors-spki-list=" + key));
        browser.manage().timeouts().scriptTimeout(PATIENCE);
        browser.get("https://localhost:" + server.port() + "/page");
    }

    private static String keyDigest(Path certificate) throws Exception {
        try (InputStream in = Files.newInputStream(certificate)) {
            byte[] key = CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getPublicKey()
                    .getEncoded();
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
        }
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (server != null) {
            server.close();
        }
    }

    /** Runs a script, which calls {@code done} with a text. Returns this text. */
    private static Object script(String script) {
        return browser.executeAsyncScript("const done = arguments[arguments.length - 1];" + script);
    }

    @Test
    void theBrowserLoadsThePageOverTls13AsASecureContext() {
        assertEquals("TLSv1.3", browser.getTitle());
        assertEquals(
                "https: true h2",
                script("done(location.protocol + ' ' + isSecureContext + ' '"
                        + " + performance.getEntriesByType('navigation')[0].nextHopProtocol);"));
    }

    @Test
    void largeBodiesAreSentAndReceived() {
        assertEquals(LARGE + " of " + LARGE, script("""
                        fetch('/page', {method: 'POST', body: new Blob([new Uint8Array(20000000)])})
                            .then(up => up.text())
                            .then(sent => fetch('/large').then(down => down.arrayBuffer())
                                .then(come => done(sent + ' of ' + come.byteLength)))
                            .catch(error => done('' + error));
                        """));
    }

    @Test
    void manyConcurrentRequestsAreServed() {
        assertEquals("40", script("""
                        Promise.all(Array.from({length: 40}, (none, i) => fetch('/page?' + i).then(one => one.text())))
                            .then(all => done('' + all.filter(text => text.includes('TLSv1.3')).length))
                            .catch(error => done('' + error));
                        """));
    }

    @Test
    void webSocketMessagesAreEchoedOverAStreamOfTheConnectionOfThePage() {
        assertEquals("400000 1000", script("""
                        const socket = new WebSocket('wss://' + location.host + '/echo');
                        let heard = 0;
                        socket.onopen = () => { for (let i = 0; i < 100; i++) socket.send('x'.repeat(4000)); };
                        socket.onmessage = event => { heard += event.data.length; if (heard === 400000) socket.close(1000); };
                        socket.onclose = event => done(heard + ' ' + event.code);
                        """));
        assertEquals("HTTP/2.0", HANDSHAKES.poll());
    }

    @Test
    void aWebSocketOverHttp2EndsCleanlyWhileOthersGoOn() {
        assertEquals("4000 true 1000 true", script("""
                        const open = path => new Promise((resolve, reject) => {
                            const socket = new WebSocket('wss://' + location.host + path);
                            socket.onopen = () => resolve(socket);
                            socket.onerror = reject;
                        });
                        const closed = socket => new Promise(resolve => {
                            socket.onclose = event => resolve(event.code + ' ' + event.wasClean);
                        });
                        (async () => {
                            const first = await open('/echo'), second = await open('/echo');
                            first.close(4000);
                            const one = await closed(first);
                            second.send('x');
                            await new Promise(resolve => { second.onmessage = resolve; });
                            second.close(1000);
                            done(one + ' ' + await closed(second));
                        })().catch(error => done('' + error));
                        """));
        assertEquals("HTTP/2.0 HTTP/2.0", HANDSHAKES.poll() + " " + HANDSHAKES.poll());
    }
}
