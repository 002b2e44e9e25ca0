package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.OrderServlet;
import io.penstock.Penstock;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the flow board (the page of the admin port) with seven problems of a real server. The sentence at the top of the board must name
 * the cause of the problem. The screenshots in {@code target/board} are for readability tests with people.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER, Program.OPENSSL})
class FlowBoardCausesIT {
    private static final Path PICTURES = Path.of("target", "board");

    private static BoardPage page;

    @BeforeAll
    static void startBrowser() {
        page = BoardPage.start();
    }

    @AfterAll
    static void stopBrowser() {
        if (page != null) {
            page.close();
        }
    }

    private static final class Failing extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void theSentenceMentionsClientsThatSendSlowly() throws Exception {
        try (Penstock server = BoardServer.withShop().start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.sendHalfBodies(40);
            page.awaitSentence("40 clients send slowly\\.");
            assertEquals(List.of("Arriving"), page.markedParts());
            page.awaitText("#busiest", "POST /upload");
            page.picture(PICTURES.resolve("slow-uploads.png"));
        }
    }

    /** One servlet gets seven eighths of the workers. The picture shows them, those that are left, and those that are not started. */
    @Test
    void thePictureOfTheWorkersShowsWhoHoldsThem() throws Exception {
        OrderServlet orders = new OrderServlet();
        try (Penstock server = BoardServer.withShop(orders).workers(240).start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            page.awaitText("#st-workers .legend", "238 not started");
            assertEquals(240, page.number("document.querySelectorAll('.cell').length"));
            clients.get(400, "/orders/17");
            page.awaitText("#st-workers .legend", "210 wait in the application");
            page.awaitText("#details", "190 requests for / orders /orders/* wait, the oldest for ");
            assertEquals("The application is slow in OrderServlet.load.", page.sentence());
            assertEquals("210 of 240 busy", page.text("#st-workers .big"));
            assertEquals(210, page.number("document.querySelectorAll('.cell.calls').length"));
            assertTrue(
                    page.number("document.querySelectorAll('.cell.none').length") > 0, "workers that are not started");
            assertTrue(
                    page.text("#holders").matches("(?s)/ orders /orders/\\*\\s+210\\s.*\\s190\\s.*"),
                    page.text("#holders"));
            assertEquals("210", page.text("#fair-most"));
            page.assertAccessible();
            page.picture(PICTURES.resolve("slow-servlet.png"));
            orders.releaseDatabase();
        }
    }

    /** A page cannot show ten thousand squares. */
    @Test
    void aSquareIsSeveralWorkersIfThereAreThousands() throws Exception {
        try (Penstock server = BoardServer.withShop().workers(10_000).start()) {
            page.open(server);
            page.awaitText("#st-workers .full-at", "a square is 50 workers");
            page.awaitText("#st-workers .legend", "9,998 not started");
            assertEquals(200, page.number("document.querySelectorAll('.cell').length"));
            assertEquals(1, page.number("document.querySelectorAll('.cell.idle').length"));
            assertEquals(199, page.number("document.querySelectorAll('.cell.none').length"));
        }
    }

    @Test
    void theSentenceMentionsClientsThatReadSlowly() throws Exception {
        try (Penstock server =
                        BoardServer.withShop().set("pipe-capacity", "64K").start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.get(40, "/large");
            page.awaitSentence("40 clients take their answers slowly\\.");
            assertEquals(List.of("Draining"), page.markedParts());
            page.picture(PICTURES.resolve("slow-readers.png"));
        }
    }

    @Test
    void theSentenceMentionsTheMethodThatWaitsForADatabase() throws Exception {
        OrderServlet orders = new OrderServlet();
        try (Penstock server = BoardServer.withShop()
                        .workers(8)
                        .context("/orders", context -> context.servlet("orders", orders, "/*"))
                        .start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.get(28, "/orders/17");
            page.awaitSentence("The application /orders is slow in OrderServlet\\.load\\.");
            page.awaitText("#details", "All 8 workers are in /orders, at OrderServlet.load, for up to ");
            page.awaitText("#details", "20 requests for /orders orders /* wait, the oldest for ");
            assertEquals(List.of("Workers"), page.markedParts());
            page.awaitText("#applications", "/orders");
            assertEquals("no request answered", page.text("#p-rate"));
            page.picture(PICTURES.resolve("slow-database.png"));
            orders.releaseDatabase();
        }
    }

    /**
     * The test sends complete bodies. These bodies wait for workers, and occupy memory. The server would write bodies to disk if they
     * arrived slowly.
     */
    @Test
    void theDetailsReportThatMemoryForBodiesIsExhausted() throws Exception {
        OrderServlet orders = new OrderServlet();
        try (Penstock server = BoardServer.withShop(orders)
                        .set("pipe-budget", "1M")
                        .set("pipe-capacity", "64K")
                        .start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.get(2, "/orders/17");
            page.awaitSentence("The application is slow in OrderServlet\\.load\\.");
            clients.sendBodies(60);
            page.awaitText("#details", "Memory for bodies is short (");
            page.awaitText("#details", " clients are not read until some is free.");
            page.awaitSentence("The application is slow in OrderServlet\\.load\\.");
            assertEquals("Trouble", page.tone());
            assertEquals(List.of("Workers", "Reserves"), page.markedParts());
            page.awaitText("#reserves", "not read until some is free");
            page.picture(PICTURES.resolve("memory.png"));
            orders.releaseDatabase();
        }
    }

    @Test
    void theSentenceMentionsAFailingApplication() throws Exception {
        try (Penstock server = BoardServer.withShop()
                        .context("/bad", context -> context.servlet("fail", new Failing(), "/fail"))
                        .start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            // The page shows a state only for some seconds. On a busy machine, this is too short for several looks.
            page.await(() -> {
                sendRequests(clients, "/bad/fail");
                return page.sentence().equals("The application /bad fails: all requests get 500.")
                        && page.tone().equals("Trouble")
                        && page.markedParts().equals(List.of("Applications fail"));
            });
            page.awaitText("#failures", "/bad failed");
            page.awaitText("#applications .over", "failed in the last");
            assertEquals("Nothing was refused or lost since this page was opened.", page.text("#no-refusals"));
            page.picture(PICTURES.resolve("failures.png"));
            sendRequests(clients, "/bad/fail");
            page.await(() -> page.sentence().matches("The application /bad failed \\d+ requests in the last 10 s\\.")
                    && page.tone().equals("Attention")
                    && page.markedParts().equals(List.of("Applications fail")));
            page.picture(PICTURES.resolve("failures-ended.png"));
            page.awaitSentence("Quiet: .*");
            assertEquals("Calm", page.tone());
            assertEquals(List.of(), page.markedParts());
            page.assertAccessible();
        }
    }

    @Test
    void theSentenceMentionsTheReasonForRefusedRequests() throws Exception {
        try (Penstock server = BoardServer.withShop()
                        .set("request-rate", "1")
                        .set("request-burst", "5")
                        .start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            page.await(() -> {
                sendRequests(clients, "/quick");
                return page.sentence()
                                .matches(
                                        "The server refuses [\\d.]+ requests a second: one address sent more than 1 request a second\\.")
                        && page.markedParts().equals(List.of("The server refuses"));
            });
            page.awaitText("#refusals", "429");
            assertEquals("No application has failed since this page was opened.", page.text("#no-failures"));
            page.picture(PICTURES.resolve("refusals.png"));
        }
    }

    @Test
    void theSentenceMentionsAnExpiringCertificate(@TempDir Path folder) throws Exception {
        Path certificate = new TestAuthority(folder).server(2);
        try (Penstock server = BoardServer.withShop()
                .set("tls-cert", certificate.toString())
                .set("tls-key", TestAuthority.key(certificate).toString())
                .start()) {
            page.open(server);
            page.awaitSentence("The certificate of localhost, staff\\.localhost, 127\\.0\\.0\\.1 expires in 1 day\\.");
            page.awaitText("#details", "Quiet: ");
            assertEquals("Attention", page.tone());
            assertEquals(List.of("Certificates"), page.markedParts());
            assertEquals("1 day left", page.text("#certificate-list .over .count"));
            page.assertAccessible();
            page.picture(PICTURES.resolve("certificate.png"));
        }
    }

    private static void sendRequests(SlowClients clients, String target) {
        try {
            clients.get(4, target);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
