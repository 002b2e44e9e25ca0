package io.penstock.compatibility.more;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Site;
import io.penstock.compatibility.TextSocket;
import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.atmosphere.config.service.ManagedService;
import org.atmosphere.config.service.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a managed service of Atmosphere whose clients use WebSocket, long polling, and server-sent events. */
class AtmosphereIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** What Atmosphere's own client sends. The server answers with the id of the client, and sends the length of each message. */
    private static final String PROTOCOL = "chat?X-Atmosphere-tracking-id=0&X-Atmosphere-Framework=3.1.3-javascript"
            + "&X-atmo-protocol=true&X-Atmosphere-TrackMessageSize=true&X-Atmosphere-Transport=";

    @TempDir
    Path folder;

    /** Sends each message to all clients. */
    @ManagedService(path = "/chat", atmosphereConfig = "org.atmosphere.cpr.AtmosphereResource.trackMessageSize=true")
    public static class Chat {
        @Message
        public String say(String text) {
            return "said: " + text;
        }
    }

    private Path war() throws IOException {
        return new War()
                .classes(Chat.class)
                .descriptor("""
                        <servlet><servlet-name>atmosphere</servlet-name>
                          <servlet-class>org.atmosphere.cpr.AtmosphereServlet</servlet-class>
                          <init-param><param-name>org.atmosphere.cpr.packages</param-name>
                            <param-value>io.penstock.compatibility.more</param-value></init-param>
                          <load-on-startup>0</load-on-startup><async-supported>true</async-supported></servlet>
                        <servlet-mapping><servlet-name>atmosphere</servlet-name>
                          <url-pattern>/*</url-pattern></servlet-mapping>
                        """)
                .libraries("atmosphere-runtime-3.0.13", "slf4j-api")
                .write(folder.resolve("atmosphere.war"));
    }

    @Test
    void clientsOfEachTransportGetTheMessagesOfOthers() throws Exception {
        Trial.of(folder, war()).run(AtmosphereIT::chat);
    }

    private static void chat(Site site) throws Exception {
        TextSocket author = connected(site);
        TextSocket reader = connected(site);
        author.send("rain");
        assertEquals("10|said: rain", author.nextWith("said"));
        assertEquals("10|said: rain", reader.nextWith("said"));
        // The answer is longer than the buffers of the server.
        String rain = "rain".repeat(10_000);
        author.send(rain);
        assertEquals("40006|said: " + rain, reader.nextWith("said"));
        poll(site, author);
        events(site, author);
        author.close();
        reader.close();
    }

    private static TextSocket connected(Site site) throws InterruptedException {
        TextSocket socket = TextSocket.open(site, PROTOCOL + "websocket");
        assertTrue(socket.next().matches("(?s)\\d+\\|.+\\|\\d+\\|.*"), "the first message has an id");
        return socket;
    }

    private static void poll(Site site, TextSocket author) throws Exception {
        String id = site.get(PROTOCOL + "long-polling").body().split("\\|")[1];
        CompletableFuture<HttpResponse<String>> poll = site.client()
                .sendAsync(
                        HttpRequest.newBuilder(site.uri(PROTOCOL.replace("id=0", "id=" + id) + "long-polling"))
                                .timeout(PATIENCE)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        await().atMost(PATIENCE).until(() -> {
            author.send("snow");
            return poll.isDone();
        });
        assertTrue(poll.join().body().contains("said: snow"), () -> poll.join().body());
    }

    private static void events(Site site, TextSocket author) throws Exception {
        HttpResponse<InputStream> stream = site.client()
                .send(
                        HttpRequest.newBuilder(site.uri(PROTOCOL + "sse")).build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        assertTrue(stream.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            String first = lineWith(lines, "|");
            author.send("hail");
            lineWith(lines, "said: hail");
            // A client that leaves says so. Otherwise the server would notice only when it writes again.
            site.get(PROTOCOL.replace("id=0", "id=" + first.split("\\|")[1]) + "close");
            assertTrue(lines.lines().noneMatch(line -> line.contains("said")), "the stream has ended");
        }
    }

    private static String lineWith(BufferedReader lines, String words) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.contains(words)) {
            line = lines.readLine();
        }
        return String.valueOf(line);
    }
}
