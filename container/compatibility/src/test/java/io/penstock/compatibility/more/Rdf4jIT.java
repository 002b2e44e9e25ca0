package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Site;
import io.penstock.compatibility.Trial;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the two published applications of RDF4J: the server with its store, and the workbench. Both are converted from javax.servlet. */
class Rdf4jIT {
    private static final Path SERVER = Path.of(System.getProperty("rdf4j.server.war"));
    private static final Path WORKBENCH = Path.of(System.getProperty("rdf4j.workbench.war"));
    private static final String STORE = """
            @prefix rep: <http://www.openrdf.org/config/repository#>.
            @prefix sr: <http://www.openrdf.org/config/repository/sail#>.
            @prefix sail: <http://www.openrdf.org/config/sail#>.
            [] a rep:Repository ; rep:repositoryID "%s" ; rep:repositoryImpl [
                rep:repositoryType "openrdf:SailRepository" ;
                sr:sailImpl [ sail:sailType "openrdf:MemoryStore" ] ] .
            """;

    /** The converted archives, for both tests. */
    @TempDir
    static Path converted;

    @TempDir
    Path folder;

    private final AtomicInteger stores = new AtomicInteger();

    /** Creates a store with one statement. */
    private String store(Site site, String server) throws Exception {
        String name = "shop" + stores.incrementAndGet();
        String store = server + "repositories/" + name;
        HttpResponse<String> made = site.put(store, "text/turtle", STORE.formatted(name));
        assertEquals(204, made.statusCode(), made::body);
        HttpResponse<String> added = site.post(store + "/statements", "text/turtle", "<urn:pen> <urn:price> 3 .");
        assertEquals(204, added.statusCode(), added::body);
        return store;
    }

    @Test
    void theServerStoresAndItsHomePageIsFoundByARelativeRedirectAfterAForward() throws Exception {
        Trial.of(folder, SERVER)
                .with("--migrate-javax", "--migrated-dir", converted.toString())
                .run(site -> {
                    HttpResponse<String> home = site.get("");
                    assertEquals("/app/home/overview.view", home.uri().getPath());
                    assertEquals(200, home.statusCode(), home::body);
                    assertTrue(home.body().contains("RDF4J Server - Home"), home::body);
                    String all = "?query=select%20*%20%7B%3Fs%20%3Fp%20%3Fo%7D";
                    HttpResponse<String> found = site.get(store(site, "") + all, "Accept", "text/csv");
                    assertEquals("s,p,o\r\nurn:pen,urn:price,3", found.body().strip());
                    assertEquals(404, site.get("repositories/none" + all).statusCode());
                });
    }

    /** The summary of a store starts two threads, and the workbench never ends them. */
    @Test
    void theWorkbenchShowsAStoreOfTheServer() throws Exception {
        Trial.of(folder, WORKBENCH)
                .with("--migrate-javax", "--migrated-dir", converted.toString(), "/rdf4j-server=" + SERVER)
                .expecting("filter CacheFilter has the URL pattern *", "2 of its threads still run")
                .allowing(Trial.Afterwards.CLASSES)
                .run(site -> {
                    HttpResponse<String> start = site.get("");
                    assertEquals(
                            "/app/repositories/NONE/repositories", start.uri().getPath());
                    assertEquals(200, start.statusCode(), start::body);
                    String store = store(site, "/rdf4j-server/");
                    HttpResponse<String> summary =
                            site.get("repositories/" + store.substring(store.lastIndexOf('/') + 1) + "/summary");
                    assertEquals(200, summary.statusCode(), summary::body);
                    assertTrue(summary.body().contains(site.uri(store).toString()), summary::body);
                });
    }
}
