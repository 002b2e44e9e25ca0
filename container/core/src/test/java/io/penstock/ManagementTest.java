package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.events.RequestSummary;
import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.Metric;
import io.penstock.server.FigureNames;
import io.penstock.server.ServerBean;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.InvalidAttributeValueException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.StandardMBean;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/** Tests the JMX MBean that shows the metrics of a server. */
class ManagementTest {
    private final MBeanServer console = ManagementFactory.getPlatformMBeanServer();

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2);
    }

    private static ObjectName name(int port) throws Exception {
        return new ObjectName("io.penstock:type=Server,port=" + port);
    }

    /** Answers with the name of the current thread. */
    private static final class ThreadName extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(Thread.currentThread().getName());
        }
    }

    private static HttpResponse<String> get(Penstock server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everyCounterAndGaugeIsAJmxAttribute() throws Exception {
        try (Penstock server = local().start()) {
            ObjectName name = name(server.port());
            MBeanAttributeInfo[] attributes = console.getMBeanInfo(name).getAttributes();
            assertEquals(Gauge.values().length + Counter.values().length + 10, attributes.length);
            for (MBeanAttributeInfo attribute : attributes) {
                Class<?> type =
                        switch (attribute.getName()) {
                            case "limit",
                                    "limitBytes",
                                    "limitSeconds",
                                    "connectionsClosed",
                                    "websocketEnded",
                                    "streamResets" -> TabularData.class;
                            case "mappingWorkersBusy", "mappingQueued", "mappingRefused" -> TabularData.class;
                            case "adminUrl" -> String.class;
                            default -> Long.class;
                        };
                assertInstanceOf(type, console.getAttribute(name, attribute.getName()), attribute.getName());
                assertFalse(attribute.getDescription().isBlank());
            }
            assertEquals(2L, console.getAttribute(name, "workers"));
            assertEquals(0.0, row(name, "mappingWorkersBusy", "mapping=other").get("value"));
            assertEquals(0L, row(name, "mappingRefused", "mapping=other").get("value"));
            assertEquals(0L, console.getAttribute(name, "queueFull"));
            assertEquals(
                    2,
                    console.getAttributes(name, new String[] {"workers", "nothing", "queueFull"})
                            .size());
            assertThrows(AttributeNotFoundException.class, () -> console.getAttribute(name, "nothing"));
        }
    }

    @Test
    void theUrlOfTheAdminPortIsAJmxAttribute() throws Exception {
        try (Penstock server = local().start()) {
            assertEquals("", console.getAttribute(name(server.port()), "adminUrl"));
        }
        try (Penstock server = local().set("admin-port", "0").start()) {
            String url =
                    "http://127.0.0.1:" + server.adminAddress().orElseThrow().getPort() + "/";
            assertEquals(url, console.getAttribute(name(server.port()), "adminUrl"));
        }
        try (Penstock server = local().set("admin-port", "0")
                .set("admin-host", "::1")
                .set("admin-tls", "on")
                .set("tls-self-signed", "on")
                .start()) {
            String url = "https://[0:0:0:0:0:0:0:1]:"
                    + server.adminAddress().orElseThrow().getPort() + "/";
            assertEquals(url, console.getAttribute(name(server.port()), "adminUrl"));
        }
    }

    /** The MBean is already registered when the deployment of the application fails. So the server must remove the MBean. */
    @Test
    void noMBeanIsRegisteredAfterAServerFailsToStart() throws Exception {
        Set<ObjectName> before = console.queryNames(new ObjectName("io.penstock:type=Server,*"), null);
        assertThrows(
                StartException.class, () -> local().war(Path.of("missing.war")).start());
        assertEquals(before, console.queryNames(new ObjectName("io.penstock:type=Server,*"), null));
    }

    @Test
    void measuredRequestTimesAreJmxAttributes() throws Exception {
        try (Penstock server = local().set("request-metrics", "on")
                .context("/", context -> context.servlet("naming", new ThreadName(), "/naming"))
                .start()) {
            ObjectName name = name(server.port());
            assertEquals(0L, console.getAttribute(name, "requestLongestMicros"));
            get(server, "/naming");
            await().until(() -> (long) console.getAttribute(name, "requestLongestMicros") > 0);
            for (String stage : List.of("head", "queue", "service", "request")) {
                long half = (long) console.getAttribute(name, stage + "HalfMicros");
                long ninetyNine = (long) console.getAttribute(name, stage + "NinetyNineMicros");
                assertTrue(half <= ninetyNine, stage);
                assertTrue(ninetyNine <= (long) console.getAttribute(name, stage + "LongestMicros"), stage);
            }
            assertEquals(0L, console.getAttribute(name, "bodyLongestMicros"));
        }
    }

    @Test
    void jmxAndTheAdminPortHaveTheSameMetrics() throws Exception {
        try (Penstock server = local().set("admin-port", "0")
                .context("/", context -> context.servlet("naming", new ThreadName(), "/naming"))
                .start()) {
            ObjectName name = name(server.port());
            get(server, "/naming");
            await().untilAsserted(() ->
                    assertEquals(1L, row(name, "requests", "outcome=answered").get("value")));
            Map<String, String> attributes = new TreeMap<>();
            for (Counter counter : Counter.values()) {
                attributes.put(Metric.of(counter).name(), ServerBean.attribute(counter.id()));
            }
            for (Gauge gauge : Gauge.values()) {
                attributes.put(Metric.of(gauge).name(), ServerBean.attribute(gauge.id()));
            }
            FigureNames figures = new FigureNames();
            server.figures(figures);
            figures.all().forEach(figure -> attributes.putIfAbsent(figure.family(), ServerBean.attribute(figure)));
            Set<String> scraped =
                    new TreeSet<>(AdminPort.of(server).metrics().types().keySet());
            scraped.removeIf(
                    // The JDK has MBeans for these metrics, so the MBean of the server does not contain them.
                    family -> family.startsWith("jvm") || family.startsWith("process_"));
            assertEquals(scraped, attributes.keySet());
            Set<String> shown = new TreeSet<>();
            for (MBeanAttributeInfo attribute : console.getMBeanInfo(name).getAttributes()) {
                shown.add(attribute.getName());
            }
            shown.removeIf(one -> one.endsWith("Micros")); // percentiles of the histograms
            shown.remove("adminUrl"); // not a number
            assertEquals(new TreeSet<>(attributes.values()), shown);
            assertEquals(
                    1L, row(name, "responses", "http.response.status_code=200").get("value"));
            assertEquals(
                    0L,
                    row(name, "refusals", "http.response.status_code=503,reason=queue")
                            .get("value"));
            assertEquals(20_000.0, row(name, "limit", "key=queue").get("value"));
            assertEquals(1L, row(name, "requestStageDuration", "stage=service").get("count"));
            assertEquals(
                    1L,
                    row(
                                    name,
                                    "httpServerRequestDuration",
                                    "url.scheme=http,http.request.method=GET,http.response.status_code=200")
                            .get("count"));
            assertEquals(1L, console.getAttribute(name, "connectionsOpened"));
        }
    }

    private CompositeData row(ObjectName name, String attribute, String labels) throws Exception {
        TabularData table = (TabularData) console.getAttribute(name, attribute);
        CompositeData row = table.get(new Object[] {labels});
        assertNotNull(row, () -> labels + " in " + table);
        return row;
    }

    @Test
    void theNumberOfSpoolThreadsCanBeSetThroughJmx() throws Exception {
        try (Penstock server = local().set("spool-threads", "3").start()) {
            ObjectName name = name(server.port());
            assertEquals(3L, console.getAttribute(name, "spoolThreads"));
            console.setAttribute(name, new Attribute("spoolThreads", 5L));
            assertEquals(5L, console.getAttribute(name, "spoolThreads"));
            console.setAttribute(name, new Attribute("spoolThreads", 1));
            assertEquals(1L, server.gauges().get("spool-threads"));
            for (Object bad : new Object[] {0, -1L, 1_000_000, "many"}) {
                assertThrows(
                        InvalidAttributeValueException.class,
                        () -> console.setAttribute(name, new Attribute("spoolThreads", bad)));
            }
            assertThrows(
                    AttributeNotFoundException.class, () -> console.setAttribute(name, new Attribute("workers", 5L)));
            assertEquals(1L, console.getAttribute(name, "spoolThreads"));
        }
    }

    @Test
    void theMBeanHasADumpOperation() throws Exception {
        try (Penstock server = local().context("/", context -> context.servlet("naming", new ThreadName(), "/naming"))
                .start()) {
            assertTrue(get(server, "/naming").body().startsWith("worker-"));
            ObjectName name = name(server.port());
            String dump = (String) console.invoke(name, "dump", null, null);
            assertTrue(dump.contains(" of 2 workers busy"), dump);
            assertTrue(dump.contains("spool-threads"), dump);
            assertTrue(server.dump().contains(" of 2 workers busy"));
            assertThrows(ReflectionException.class, () -> console.invoke(name, "stop", null, null));
        }
    }

    @Test
    void eachServerHasAnMBeanThatIsRemovedWhenTheServerStops() throws Exception {
        ObjectName first;
        try (Penstock one = local().workers(1).start();
                Penstock two = local().workers(3).start()) {
            first = name(one.port());
            assertEquals(1L, console.getAttribute(first, "workers"));
            assertEquals(3L, console.getAttribute(name(two.port()), "workers"));
        }
        assertFalse(console.isRegistered(first));
    }

    @Test
    void aServerStartsEvenIfTheNameOfItsMBeanIsAlreadyRegistered() throws Exception {
        int port = UnusedPort.next();
        ObjectName taken = name(port);
        console.registerMBean(new StandardMBean(() -> {}, Runnable.class), taken);
        try {
            try (Penstock server = local().port(port).start()) {
                assertEquals(404, get(server, "/").statusCode());
            }
            assertTrue(console.isRegistered(taken), "the server must not remove the MBean of another program");
        } finally {
            console.unregisterMBean(taken);
        }
    }

    @Test
    void anEmbeddingProgramReceivesASummaryOfEachRequest() throws Exception {
        BlockingQueue<RequestSummary> summaries = new LinkedBlockingQueue<>();
        ConnectionEvents accessLog = new ConnectionEvents() {
            @Override
            public boolean followsRequests() {
                return true;
            }

            @Override
            public void ended(RequestSummary summary) {
                summaries.add(summary);
            }
        };
        try (Penstock server = local().events(accessLog)
                .context("/", context -> context.servlet("naming", new ThreadName(), "/naming"))
                .start()) {
            get(server, "/naming?a=b");
            RequestSummary summary = summaries.poll(60, TimeUnit.SECONDS);
            assertEquals("/naming?a=b", summary.request().target());
            assertEquals(200, summary.status());
            assertEquals(RequestSummary.Outcome.ANSWERED, summary.outcome());
        }
    }
}
