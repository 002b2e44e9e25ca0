package io.penstock.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.peer.PeerOptions.Settings;
import io.penstock.peer.PeerOptions.Threads;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerOptionsTest {
    @TempDir
    Path root;

    @Test
    void allArgumentsAreParsed() {
        PeerOptions options = PeerOptions.parse(
                "--port",
                "8080",
                "--root",
                root.toString(),
                "--settings",
                "default",
                "--threads",
                "virtual",
                "--workers",
                "4",
                "--send-buffer",
                "65536",
                "--http2",
                "on",
                "--set",
                "queue=10",
                "--set",
                "a=b=c",
                "--set",
                "websocket=on");
        assertEquals(
                new PeerOptions(
                        8080,
                        root,
                        Settings.DEFAULT,
                        Threads.VIRTUAL,
                        4,
                        65536,
                        Optional.empty(),
                        true,
                        true,
                        Map.of("queue", "10", "a", "b=c")),
                options);
        assertEquals(4, options.workers());
    }

    @Test
    void theDefaultsAreTunedSettingsAndPlatformThreadsAndAFreePort() {
        PeerOptions options = PeerOptions.parse("--root", root.toString());
        assertEquals(
                new PeerOptions(
                        0, root, Settings.TUNED, Threads.PLATFORM, 0, 0, Optional.empty(), false, false, Map.of()),
                options);
        assertTrue(options.tuned());
        assertEquals(0, options.workers());
    }

    @Test
    void invalidArgumentsAreRefused() {
        assertRefused("Not a number: many", "--workers", "many");
        assertRefused("--root is not a folder", "--root", root.resolve("absent").toString());
        assertRefused("--http2 must be on or off, not yes", "--http2", "yes");
        assertRefused("--set websocket must be on or off, not yes", "--set", "websocket=yes");
        assertRefused("No value behind --port", "--port");
        assertRefused("Unknown arguments: [--colour]", "--colour", "red");
        assertRefused("--set takes NAME=VALUE", "--set", "queue");
    }

    @Test
    void aServerWithoutVirtualThreadsRefusesTheOptionForVirtualThreads() {
        PeerOptions options = PeerOptions.parse("--threads", "virtual");
        IllegalArgumentException wrong =
                assertThrows(IllegalArgumentException.class, () -> options.refuse(Threads.VIRTUAL));
        assertEquals("This server does not run servlets on virtual threads", wrong.getMessage());
    }

    @Test
    void aServerWithoutHttp2RefusesTheOptionForHttp2() {
        PeerOptions options = PeerOptions.parse("--http2", "on");
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, options::refuseTlsAndHttp2);
        assertEquals("This server has no HTTP/2: remove --http2", wrong.getMessage());
    }

    @Test
    void aServerRefusesUnknownSettingsAndInvalidValues() {
        assertEquals(0, PeerOptions.parse().onlyOwn("buffers"));
        assertEquals(4, PeerOptions.parse("--set", "buffers=4").onlyOwn("buffers"));
        assertSettingRefused("--set colour is not known to this server, only buffers", "colour=red");
        assertSettingRefused("Not a number: four", "buffers=four");
        assertSettingRefused("--set buffers must be at least 1", "buffers=0");
    }

    private static void assertSettingRefused(String message, String setting) {
        PeerOptions options = PeerOptions.parse("--set", setting);
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> options.onlyOwn("buffers"));
        assertEquals(message, wrong.getMessage());
    }

    private static void assertRefused(String message, String... args) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> PeerOptions.parse(args));
        assertTrue(wrong.getMessage().startsWith(message), wrong.getMessage());
    }
}
