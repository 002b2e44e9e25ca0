package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.JsonValue;
import io.penstock.deploy.Packing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin port shows a failed deployment until a later deployment succeeds. A server that still serves applications stays ready. */
class FailedDeploymentTest {
    private static final String BROKEN = "<web-app>\n<servlt/></web-app>";
    private static final String REASON = ": WEB-INF/web.xml:2: <servlt> is not an element of <web-app>";

    @TempDir
    Path folder;

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2).set("admin-port", "0");
    }

    private Path war(String name, String descriptor) throws IOException {
        return Packing.empty().with("WEB-INF/web.xml", descriptor).archive(folder.resolve(name));
    }

    private static List<String> contexts(AdminPort admin) throws IOException {
        return admin.get("/contexts").whole().lines().toList();
    }

    @Test
    void aFailedRedeploymentIsShownUntilTheNextRedeploymentSucceeds() throws Exception {
        Path good = war("good.war", "<web-app/>");
        Path bad = war("bad.war", BROKEN);
        try (Penstock server = local().war("/shop", good).start();
                AdminPort.Following board = AdminPort.of(server).follow()) {
            AdminPort admin = AdminPort.of(server);
            assertEquals("ready\n", admin.get("/health/ready").body());
            assertThrows(DeployException.class, () -> server.deploy("/shop", bad));

            List<String> lines = contexts(admin);
            assertTrue(lines.get(0).matches("/shop +0 requests +"), lines::toString);
            assertTrue(
                    lines.get(1)
                            .matches(
                                    "/shop +not deployed at \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ, its former version"
                                            + " stays in service: .*"),
                    lines::toString);
            assertTrue(lines.get(1).endsWith(bad + REASON), lines::toString);
            Object json = admin.json("/contexts");
            assertEquals("/shop", JsonValue.at(json, "serving", 0, "path"));
            assertEquals("/shop", JsonValue.at(json, "failed", 0, "path"));
            assertEquals(bad.toString(), JsonValue.at(json, "failed", 0, "source"));
            assertEquals(bad + REASON, JsonValue.at(json, "failed", 0, "reason"));
            assertEquals(true, JsonValue.at(json, "failed", 0, "formerServes"));
            RawExchange ready = admin.get("/health/ready");
            assertEquals(200, ready.status());
            assertEquals("ready, but 1 deployment failed (/contexts says why)\n", ready.body());
            assertEquals(1, admin.metrics().value("penstock_contexts_failed"));
            Object moment = board.next();
            while (JsonValue.at(moment, "failures").toString().equals("[]")) {
                moment = board.next();
            }
            assertEquals(bad + REASON, JsonValue.at(moment, "failures", 0, "reason"));

            server.deploy("/shop", good);
            assertEquals(1, contexts(admin).size());
            assertEquals("ready\n", admin.get("/health/ready").body());
            assertEquals(0, server.gauges().get("contexts-failed"));
        }
    }

    @Test
    void aFailedApplicationIsShownUntilItIsUndeployed() throws Exception {
        Path bad = war("bad.war", BROKEN);
        try (Penstock server = local().war("/blog", bad)
                .war("/shop", war("good.war", "<web-app/>"))
                .leaveOutWhatFails()
                .start()) {
            AdminPort admin = AdminPort.of(server);
            List<String> lines = contexts(admin);
            assertTrue(lines.get(1).matches("/blog +not deployed at [^ ,]+: .*"), lines::toString);
            assertEquals(false, JsonValue.at(admin.json("/contexts"), "failed", 0, "formerServes"));
            assertEquals(200, admin.get("/health/ready").status());
            server.undeploy("/blog");
            assertEquals(1, contexts(admin).size());
            assertEquals("ready\n", admin.get("/health/ready").body());
        }
    }

    @Test
    void aServerIsNotReadyIfItsOnlyApplicationFailedToStart() throws Exception {
        Path webapps = Files.createDirectory(folder.resolve("webapps"));
        war("webapps/shop.war", BROKEN);
        try (Penstock server =
                local().webapps(webapps).set("webapps-interval", "10ms").start()) {
            AdminPort admin = AdminPort.of(server);
            RawExchange ready = admin.get("/health/ready");
            assertEquals(503, ready.status());
            assertEquals("failed: no context is in service (/contexts says why)\n", ready.body());
            Files.delete(webapps.resolve("shop.war"));
            await().until(() -> contexts(admin).isEmpty());
            assertEquals(
                    "ready\n", admin.get("/health/ready").body(), "readiness after the failed application was removed");
        }
    }
}
