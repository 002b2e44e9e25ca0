package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.testing.HeadlessBrowser;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.chrome.ChromeDriver;

/** Tests endpoints with the WebSocket client of a browser. A script in the browser records the received messages. */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class BrowserIT {
    private static Penstock server;
    private static ChromeDriver browser;

    /** A page with the same origin as the endpoints. */
    private static final class PageServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter().print("<!DOCTYPE html><title>Talk</title><p>A page to talk from.</p>");
        }
    }

    @BeforeAll
    static void startServerAndBrowser() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("page", new PageServlet(), "/page")
                        .initializer(WebSockets.endpoints(
                                TalkEndpoint.class, BoundedEndpoint.class, FloodEndpoint.class, RoomyEndpoint.class)))
                .start();
        browser = HeadlessBrowser.start(options -> {});
        browser.manage().timeouts().scriptTimeout(PATIENCE);
        browser.get("http://127.0.0.1:" + server.port() + "/page");
    }

    @AfterAll
    static void stopBrowserAndServer() {
        if (browser != null) {
            browser.quit();
        }
        if (server != null) {
            server.close();
        }
    }

    /** Opens a WebSocket in the variable {@code socket}, and runs the script. Returns the text that the script passes to {@code done}. */
    private static Object talk(String path, String protocols, String script) {
        return browser.executeAsyncScript("const done = arguments[arguments.length - 1];"
                + "const socket = new WebSocket('ws://' + location.host + '" + path + "', " + protocols + ");"
                + "socket.binaryType = 'arraybuffer';" + script);
    }

    @Test
    void textAndBytesAreReturnedOverARequestedSubprotocol() {
        assertEquals("talk.v1|hall: Grüße|3,1,255", talk("/talk/hall", "['other', 'talk.v1']", """
                        const heard = [];
                        socket.onopen = () => { heard.push(socket.protocol); socket.send('Grüße'); };
                        socket.onmessage = event => {
                            if (typeof event.data === 'string') {
                                heard.push(event.data);
                                socket.send(new Uint8Array([3, 1, 255]));
                            } else {
                                heard.push(new Uint8Array(event.data).join(','));
                                socket.close(1000);
                                done(heard.join('|'));
                            }
                        };
                        socket.onerror = () => done('error');
                        """));
    }

    @Test
    void closeCodesAreSentInBothDirections() {
        assertEquals("4001 as you wish true", talk("/talk/a", "[]", """
                        socket.onopen = () => socket.send('close 4001');
                        socket.onclose = event => done(event.code + ' ' + event.reason + ' ' + event.wasClean);
                        """));
        assertEquals("3999 true", talk("/talk/a", "[]", """
                        socket.onopen = () => socket.close(3999, 'enough');
                        socket.onclose = event => done(event.code + ' ' + event.wasClean);
                        """));
    }

    @Test
    void closeCode1009IsSentIfAMessageExceedsTheLimitOfTheEndpoint() {
        assertEquals("1009", talk("/bounded", "[]", """
                        socket.onopen = () => socket.send('x'.repeat(100));
                        socket.onclose = event => done('' + event.code);
                        """));
    }

    @Test
    void theEndpointReceivesAMessageOf400000CharactersCompletely() {
        assertEquals("heard 400000", talk("/roomy", "[]", """
                        socket.onopen = () => socket.send('x'.repeat(400000));
                        socket.onmessage = event => { socket.close(); done(event.data); };
                        socket.onclose = event => done('close ' + event.code);
                        """));
    }

    @Test
    void theBrowserReceivesTheFragmentsOfAMessageAsOneMessage() {
        assertEquals("Grüße", talk("/talk/a", "[]", """
                        socket.onopen = () => socket.send('in parts Grüße');
                        socket.onmessage = event => { socket.close(); done(event.data); };
                        """));
    }

    @Test
    void theBrowserAnswersAPingWithAPong() {
        assertEquals("pong still there?", talk("/talk/a", "[]", """
                        socket.onopen = () => socket.send('ping');
                        socket.onmessage = event => { socket.close(); done(event.data); };
                        """));
    }

    @Test
    void theUndeploymentOfAnApplicationCausesCloseCode1001() throws Exception {
        server.deploy("/brief", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)));
        // The answer proves that the session is open at the server, too.
        assertEquals("a: x", talk("/brief/talk/a", "[]", """
                        window.ended = new Promise(resolve => {
                            socket.onclose = event => resolve(event.code + ' ' + event.wasClean);
                        });
                        socket.onopen = () => socket.send('x');
                        socket.onmessage = event => done(event.data);
                        """));
        assertTrue(server.undeploy("/brief"));
        assertEquals("1001 true", browser.executeAsyncScript("window.ended.then(arguments[arguments.length - 1])"));
    }

    @Test
    void theBrowserReceives100MessagesCompletely() {
        assertEquals(Long.toString(100L * FloodEndpoint.MESSAGE), talk("/flood", "[]", """
                        let bytes = 0, messages = 0;
                        socket.onopen = () => socket.send('100');
                        socket.onmessage = event => {
                            bytes += event.data.byteLength;
                            if (++messages === 100) {
                                socket.close();
                                done('' + bytes);
                            }
                        };
                        """));
    }

    @Test
    void aHandshakeForAPathWithoutAnEndpointFails() {
        assertEquals("1006", talk("/nobody", "[]", "socket.onclose = event => done('' + event.code);"));
    }
}
