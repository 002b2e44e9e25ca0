package io.penstock.boot.autoconfigure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.boot.PenstockWebServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/** Tests an application with Spring's support for STOMP over WebSocket. The application uses the WebSocket engine of Penstock. */
class WebSocketApplicationTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableWebSocketMessageBroker
    @Controller
    static class Sample implements WebSocketMessageBrokerConfigurer {
        @Override
        public void registerStompEndpoints(StompEndpointRegistry registry) {
            registry.addEndpoint("/stomp");
            // Without this setting, Spring could handle the test's message before the test's subscription.
            registry.setPreserveReceiveOrder(true);
        }

        @Override
        public void configureMessageBroker(MessageBrokerRegistry registry) {
            registry.enableSimpleBroker("/topic");
            registry.setApplicationDestinationPrefixes("/app");
        }

        @MessageMapping("/shout")
        @SendTo("/topic/shouts")
        public String shout(String text) {
            return text.toUpperCase(java.util.Locale.ROOT);
        }
    }

    /** Receives messages from the server. The messages are short, so each call of {@code onText} passes a complete message. */
    private static final class Received implements WebSocket.Listener {
        private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            messages.add(data.toString());
            socket.request(1);
            return null;
        }

        String next() throws InterruptedException {
            return String.valueOf(messages.poll(1, TimeUnit.MINUTES));
        }
    }

    @Test
    void aStompMessageReachesTheSubscribersOfATopic() throws Exception {
        try (ConfigurableApplicationContext context =
                new SpringApplication(Sample.class).run("--server.port=0", "--spring.main.banner-mode=off")) {
            PenstockWebServer server = (PenstockWebServer) ((WebServerApplicationContext) context).getWebServer();
            Received received = new Received();
            WebSocket socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .subprotocols("v12.stomp")
                    .buildAsync(URI.create("ws://127.0.0.1:" + server.getPort() + "/stomp"), received)
                    .get(1, TimeUnit.MINUTES);
            send(socket, "CONNECT\naccept-version:1.2\nhost:localhost\n\n");
            assertEquals("CONNECTED", received.next().split("\n")[0]);
            send(socket, "SUBSCRIBE\nid:0\ndestination:/topic/shouts\n\n");
            send(socket, "SEND\ndestination:/app/shout\ncontent-type:text/plain\n\nhello");
            String message = received.next();
            assertEquals("MESSAGE", message.split("\n")[0]);
            assertEquals("HELLO\0", message.substring(message.indexOf("\n\n") + 2));
            socket.abort();
        }
    }

    private static void send(WebSocket socket, String frame) throws Exception {
        socket.sendText(frame + "\0", true).get(1, TimeUnit.MINUTES);
    }
}
