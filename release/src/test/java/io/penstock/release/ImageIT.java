package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.release.Staging.Result;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the image has the layout of the Open Container Initiative. Also checks that the entry point of the image needs no files
 * outside of the image.
 */
@NeedsProgram(Program.UNSHARE)
class ImageIT {
    private static final String USER = "10001:10001";

    @TempDir
    Path folder;

    private Path layout;

    private JsonNode blob(JsonNode descriptor) throws Exception {
        return new ObjectMapper().readTree(blobFile(descriptor).toFile());
    }

    /** Returns the file of a descriptor. Checks the digest and the size of the file. */
    private Path blobFile(JsonNode descriptor) throws Exception {
        String digest = descriptor.path("digest").asText();
        Path file = layout.resolve("blobs").resolve(digest.replace(':', '/'));
        byte[] bytes = Files.readAllBytes(file);
        assertEquals(
                digest,
                "sha256:"
                        + HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
        assertEquals(descriptor.path("size").asLong(), bytes.length);
        return file;
    }

    private void runSuccessfully(String... command) throws Exception {
        Result result = Staging.run(folder, List.of(command));
        assertEquals(0, result.exitCode(), result.text());
    }

    private static List<String> words(JsonNode array) {
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add(word.asText()));
        return words;
    }

    @Test
    void theEntryPointServesTheSampleAsAnUnprivilegedUser() throws Exception {
        Namespaces.require(folder);
        layout = Files.createDirectory(folder.resolve("layout"));
        runSuccessfully(
                "tar",
                "-xf",
                Staging.file("penstock-" + Staging.version() + "-oci.tar").toString(),
                "-C",
                layout.toString());
        assertEquals(
                "1.0.0",
                new ObjectMapper()
                        .readTree(layout.resolve("oci-layout").toFile())
                        .path("imageLayoutVersion")
                        .asText());
        JsonNode index =
                new ObjectMapper().readTree(layout.resolve("index.json").toFile());
        JsonNode manifest = blob(index.path("manifests").path(0));
        JsonNode config = blob(manifest.path("config")).path("config");
        assertEquals(USER, config.path("User").asText());
        assertEquals(
                Staging.version(),
                config.path("Labels").path("org.opencontainers.image.version").asText());
        assertTrue(config.path("ExposedPorts").has("8080/tcp"), config.toString());

        Path root = Files.createDirectory(folder.resolve("root"));
        for (JsonNode layer : manifest.path("layers")) {
            runSuccessfully("tar", "-xzf", blobFile(layer).toString(), "-C", root.toString());
        }
        for (String license : List.of(
                "opt/penstock/LICENSE",
                "opt/java/legal/java.base/LICENSE",
                "usr/share/doc/libc6/copyright",
                "usr/share/common-licenses/LGPL-2.1")) {
            assertTrue(Files.isRegularFile(root.resolve(license)), license);
        }
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "-m",
                "sh",
                "-c",
                "mount --rbind /dev \"$0/dev\" && mount -t proc proc \"$0/proc\" && exec chroot --userspec=" + USER
                        + " \"$0\" \"$@\"",
                root.toString()));
        // A container engine creates the folders dev and proc in each container. This test runs without an engine, so
        // it creates the folders.
        Files.createDirectories(root.resolve("dev"));
        Files.createDirectories(root.resolve("proc"));
        command.addAll(words(config.path("Entrypoint")));
        command.addAll(words(config.path("Cmd")));
        try (StartedServer server = new StartedServer(folder, Map.of(), command)) {
            server.assertServesTheSample();
            assertEquals("{\"url\": \"\"}", server.board());
            assertTrue(server.status("Uid").matches("Uid:\\s+10001\\s+10001\\s+10001\\s+10001"), server.status("Uid"));
            assertEquals(StartedServer.TERMINATED, server.terminate());
        }
        assertNoFileBelongsToTheServerUser(root);

        // docs/release.md shows this example of an image with another application.
        Path own = Files.createDirectories(root.resolve("srv/webapps/ROOT/WEB-INF"))
                .getParent();
        Files.writeString(own.resolve("index.html"), "my own");
        Map<String, String> environment = Map.of("PENSTOCK_WEBAPPS", "/srv/webapps");
        try (StartedServer server = new StartedServer(folder, environment, command)) {
            String url = "http://127.0.0.1:" + server.port() + "/";
            assertEquals("my own", server.get(url).body());
            assertEquals(404, server.get(url + "chat/").statusCode());
        }
    }

    /** Checks that the server in the container cannot change its own files. */
    private static void assertNoFileBelongsToTheServerUser(Path root) throws IOException {
        try (var files = Files.walk(root.resolve("opt"))) {
            for (Path file : files.toList()) {
                assertNotEquals(10001, Files.getAttribute(file, "unix:uid"), "the owner of " + file);
                assertEquals(
                        0, (int) Files.getAttribute(file, "unix:mode") & 0002, file + " can be written by all users");
            }
        }
    }
}
