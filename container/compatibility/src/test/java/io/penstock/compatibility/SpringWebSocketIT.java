package io.penstock.compatibility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.stereotype.Controller;
import org.springframework.web.servlet.support.AbstractAnnotationConfigDispatcherServletInitializer;
import org.springframework.web.socket.SubProtocolCapable;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/** Tests Spring's WebSocket handlers, STOMP, and SockJS. SockJS uses WebSocket, polling and streaming. */
class SpringWebSocketIT {
    private static final int PATIENCE_SECONDS = 120;
    private static final int HEARTBEAT_MILLIS = 1000;

    /** The longest message. Spring's own limit is 64 KB, as is the server's. */
    private static final int MOST = 2 << 20;

    private static final String HEARTBEAT = "h";
    private static final String CONNECT = "CONNECT\naccept-version:1.2\nhost:x\n\n\0";
    private static final String SUBSCRIBE = "SUBSCRIBE\nid:0\ndestination:/topic/greetings\n\n\0";

    @TempDir
    Path folder;

    /** Spring's {@code ServletContainerInitializer} finds this class. */
    public static class Start extends AbstractAnnotationConfigDispatcherServletInitializer {
        @Override
        protected Class<?>[] getRootConfigClasses() {
            return new Class<?>[0];
        }

        @Override
        protected Class<?>[] getServletConfigClasses() {
            return new Class<?>[] {Beans.class};
        }

        @Override
        protected String[] getServletMappings() {
            return new String[] {"/"};
        }
    }

    @Configuration
    @EnableWebSocket
    @EnableWebSocketMessageBroker
    public static class Beans implements WebSocketMessageBrokerConfigurer, WebSocketConfigurer {
        @Override
        public void registerStompEndpoints(StompEndpointRegistry endpoints) {
            endpoints.addEndpoint("/stomp");
            endpoints
                    .addEndpoint("/sock")
                    .withSockJS()
                    // The server detects a disconnected client only when the server sends a heartbeat.
                    .setHeartbeatTime(HEARTBEAT_MILLIS);
            // A subscription must take effect before the next message is handled.
            endpoints.setPreserveReceiveOrder(true);
        }

        @Override
        public void configureWebSocketTransport(WebSocketTransportRegistration transport) {
            transport.setMessageSizeLimit(MOST).setSendBufferSizeLimit(2 * MOST);
        }

        @Override
        public void configureMessageBroker(MessageBrokerRegistry broker) {
            broker.enableSimpleBroker("/topic");
            broker.setApplicationDestinationPrefixes("/to");
        }

        @Override
        public void registerWebSocketHandlers(WebSocketHandlerRegistry handlers) {
            handlers.addHandler(new Echo(), "/echo/*");
        }

        @Bean
        public ServletServerContainerFactoryBean container() {
            ServletServerContainerFactoryBean container = new ServletServerContainerFactoryBean();
            container.setMaxTextMessageBufferSize(MOST);
            return container;
        }

        @Bean
        public Greeter greeter() {
            return new Greeter();
        }
    }

    @Controller
    public static class Greeter {
        @MessageMapping("/greet")
        @SendTo("/topic/greetings")
        public String greet(String name) {
            return "Hello " + name;
        }
    }

    /** Sends each message back to its client, with the path of the endpoint. */
    public static class Echo extends TextWebSocketHandler implements SubProtocolCapable {
        @Override
        public List<String> getSubProtocols() {
            return List.of("echo");
        }

        @Override
        protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
            URI uri = session.getUri();
            session.sendMessage(new TextMessage((uri == null ? "" : uri.getPath()) + " " + message.getPayload()));
        }
    }

    /** Stores the messages that the server sends. */
    private static final class Receiver implements WebSocket.Listener {
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                if (!HEARTBEAT.contentEquals(message)) {
                    received.add(message.toString());
                }
                message.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            received.add("close " + code);
            return null;
        }

        String next() throws InterruptedException {
            return String.valueOf(received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
    }

    private Path war() throws IOException {
        return new War()
                .classes(SpringWebSocketIT.class)
                .libraries("spring-", "micrometer-", "jspecify", "commons-logging", "jackson-")
                .write(folder.resolve("spring-websocket.war"));
    }

    @Test
    void aSpringApplicationExchangesMessagesOverWebSocketAndSockJs() throws Exception {
        Trial.of(folder, war()).run(site -> {
            handler(site);
            stompOverWebSocket(site);
            stompOverSockJsOverWebSocket(site);
            stompOverPolling(site);
            stompOverStreaming(site);
        });
    }

    private static WebSocket connect(Site site, String path, Receiver receiver, String protocol) {
        URI uri = URI.create(site.uri(path).toString().replace("http:", "ws:"));
        return site.client()
                .newWebSocketBuilder()
                .subprotocols(protocol)
                .buildAsync(uri, receiver)
                .join();
    }

    private static void handler(Site site) throws Exception {
        Receiver receiver = new Receiver();
        WebSocket socket = connect(site, "echo/here", receiver, "echo");
        assertEquals("echo", socket.getSubprotocol());
        socket.sendText("anybody?", true).join();
        assertEquals("/app/echo/here anybody?", receiver.next());
        socket.sendClose(1000, "").join();
        assertEquals("close 1000", receiver.next());
    }

    private static void stompOverWebSocket(Site site) throws Exception {
        Receiver receiver = new Receiver();
        WebSocket socket = connect(site, "stomp", receiver, "v12.stomp");
        assertEquals("v12.stomp", socket.getSubprotocol());
        socket.sendText(CONNECT, true).join();
        assertTrue(receiver.next().startsWith("CONNECTED\n"));
        socket.sendText(SUBSCRIBE, true).join();
        socket.sendText(greet("Anna"), true).join();
        assertGreets(receiver.next(), "Anna");
        for (int length : new int[] {60_000, 1 << 20}) {
            socket.sendText(greet("x".repeat(length)), true).join();
            String answer = receiver.next();
            assertEquals("Hello ".length() + length, answer.length() - answer.indexOf("Hello ") - "\0".length());
        }
        socket.sendClose(1000, "").join();
    }

    private static void stompOverSockJsOverWebSocket(Site site) throws Exception {
        Receiver receiver = new Receiver();
        WebSocket socket = connect(site, "sock/000/first/websocket", receiver, "v12.stomp");
        assertEquals("o", receiver.next());
        socket.sendText(inJson(CONNECT), true).join();
        assertTrue(receiver.next().startsWith("a[\"CONNECTED"));
        socket.sendText(inJson(SUBSCRIBE), true).join();
        socket.sendText(inJson(greet("Bert")), true).join();
        assertGreets(receiver.next(), "Bert");
        socket.sendClose(1000, "").join();
    }

    private static void stompOverPolling(Site site) throws Exception {
        assertTrue(site.get("sock/info").body().contains("\"websocket\":true"));
        String session = "sock/000/second/";
        assertEquals("o\n", poll(site, session));
        send(site, session, CONNECT);
        assertTrue(poll(site, session).startsWith("a[\"CONNECTED"));
        send(site, session, SUBSCRIBE);
        send(site, session, greet("Carl"));
        assertGreets(poll(site, session), "Carl");
    }

    private static void stompOverStreaming(Site site) throws Exception {
        String session = "sock/000/third/";
        HttpRequest stream = HttpRequest.newBuilder(site.uri(session + "xhr_streaming"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try (BufferedReader frames = new BufferedReader(new InputStreamReader(
                site.client()
                        .send(stream, HttpResponse.BodyHandlers.ofInputStream())
                        .body(),
                StandardCharsets.UTF_8))) {
            // SockJS begins the stream with 2048 characters of padding. Some browsers need this padding.
            assertEquals("h".repeat(2048), frames.readLine());
            assertEquals("o", frames.readLine());
            send(site, session, CONNECT);
            assertTrue(frame(frames).startsWith("a[\"CONNECTED"));
            send(site, session, SUBSCRIBE);
            send(site, session, greet("Dora"));
            assertGreets(frame(frames), "Dora");
        }
    }

    /** Returns the next frame that is not a heartbeat. */
    private static String frame(BufferedReader frames) throws IOException {
        String line = frames.readLine();
        for (int beats = 0; HEARTBEAT.equals(line) && beats < PATIENCE_SECONDS; beats++) {
            line = frames.readLine();
        }
        return String.valueOf(line);
    }

    private static String poll(Site site, String session) throws Exception {
        String frame = HEARTBEAT;
        for (int beats = 0; HEARTBEAT.equals(frame.strip()) && beats < PATIENCE_SECONDS; beats++) {
            frame = site.post(session + "xhr", "text/plain", "").body();
        }
        return frame;
    }

    private static void send(Site site, String session, String frame) throws Exception {
        assertEquals(
                204,
                site.post(session + "xhr_send", "application/json", inJson(frame))
                        .statusCode());
    }

    private static String greet(String name) {
        return "SEND\ndestination:/to/greet\ncontent-type:text/plain\n\n" + name + "\0";
    }

    private static String inJson(String frame) {
        return "[\"" + frame.replace("\n", "\\n").replace("\0", "\\u0000") + "\"]";
    }

    private static void assertGreets(String frame, String name) {
        assertTrue(frame.contains("MESSAGE") && frame.contains("Hello " + name), frame);
    }
}
