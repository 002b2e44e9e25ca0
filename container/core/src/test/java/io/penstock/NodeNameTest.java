package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests where the server shows the value of the setting {@code node-name}. Operators use the node name to distinguish several servers. */
class NodeNameTest {
    @TempDir
    Path folder;

    private static Penstock.Builder server() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(1).set("admin-port", "0");
    }

    @Test
    void theAccessLogAndTheDataOfTheAdminPortContainTheNodeName() throws Exception {
        Path log = folder.resolve("access.log");
        try (Penstock server = server().set("node-name", "node1")
                .set("access-log", log.toString())
                .set("access-log-format", "x-node sc-status")
                .start()) {
            assertEquals(404, RawExchange.get(server, "/").status());
            AdminPort admin = AdminPort.of(server);
            assertTrue(server.dump().startsWith("node node1\n"), server.dump());
            assertTrue(admin.get("/dump").body().contains("node node1\n"));
            assertEquals(1, admin.metrics().value("penstock_node_info{name=\"node1\"}"));
            assertTrue(
                    admin.get("/metrics").whole().contains("\npenstock_node_info{name=\"node1\"} 1\n"),
                    "the older metrics format must contain the node name");
            try (AdminPort.Following board = admin.follow()) {
                assertEquals("node1", ((Map<?, ?>) board.next()).get("node"));
            }
        }
        assertTrue(Files.readString(log).endsWith("\nnode1 404\n"), Files.readString(log));
    }

    @Test
    void theDumpAndMetricsContainNoNodeNameByDefault() throws Exception {
        try (Penstock server = server().start()) {
            assertFalse(server.dump().contains("node "), server.dump());
            assertFalse(AdminPort.of(server).get("/metrics").whole().contains("penstock_node"));
        }
    }
}
