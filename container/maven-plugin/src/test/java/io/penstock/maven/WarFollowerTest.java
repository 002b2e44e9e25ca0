package io.penstock.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when a {@link WarFollower} deploys a new archive. The follower checks the archive only when the test calls {@code look}. */
class WarFollowerTest {
    @TempDir
    Path folder;

    private Path war;
    private Penstock server;
    private WarFollower follower;

    @BeforeEach
    void serve() throws Exception {
        war = Files.write(folder.resolve("shop.war"), archive("index.html", "one"));
        follower = WarFollower.of("/shop", war);
        server = Penstock.builder().host("127.0.0.1").port(0).war("/shop", war).start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static byte[] archive(String name, String content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private String served() throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/shop/index.html");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private String servedAfterChecks(int checks) throws Exception {
        for (int i = 0; i < checks; i++) {
            follower.look(server);
        }
        return served();
    }

    @Test
    void aNewArchiveIsServedWhenTwoChecksHaveFoundTheSameFile() throws Exception {
        assertEquals("one", servedAfterChecks(2));
        Files.write(war, archive("index.html", "another"));
        assertEquals("one", servedAfterChecks(1));
        assertEquals("another", servedAfterChecks(1));
    }

    @Test
    void anArchiveThatIsBeingWrittenIsNotServed() throws Exception {
        byte[] whole = archive("index.html", "another");
        for (int length = 0; length < whole.length; length += 10) {
            Files.write(war, Arrays.copyOf(whole, length));
            assertEquals("one", servedAfterChecks(3), length + " bytes of an archive were deployed");
        }
        Files.delete(war);
        assertEquals("one", servedAfterChecks(3), "the deletion of the archive ended the application");
        Files.write(war, whole);
        assertEquals("another", servedAfterChecks(2));
    }

    @Test
    void theOldVersionIsNotReplacedByANewVersionThatDoesNotStart() throws Exception {
        Files.write(war, archive("WEB-INF/web.xml", "<web-app>no end"));
        assertEquals("one", servedAfterChecks(3));
        Files.write(war, archive("index.html", "mended"));
        assertEquals("mended", servedAfterChecks(2));
    }
}
