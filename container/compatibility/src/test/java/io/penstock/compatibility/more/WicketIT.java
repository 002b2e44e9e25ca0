package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Site;
import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.wicket.Page;
import org.apache.wicket.markup.html.WebPage;
import org.apache.wicket.markup.html.basic.Label;
import org.apache.wicket.markup.html.link.Link;
import org.apache.wicket.protocol.http.WebApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Wicket with its filter. The page has a counter, which Wicket stores between the requests. */
class WicketIT {
    private static final Pattern LINK = Pattern.compile("<a [^>]*href=\"([^\"]+)\"");

    @TempDir
    Path folder;

    public static class Shop extends WebApplication {
        @Override
        public Class<? extends Page> getHomePage() {
            return Counter.class;
        }
    }

    public static class Counter extends WebPage {
        private static final long serialVersionUID = 1L;
        private int count;

        public Counter() {
            add(new Label("count", () -> count));
            add(new Link<Void>("more") {
                private static final long serialVersionUID = 1L;

                @Override
                public void onClick() {
                    count++;
                }
            });
        }
    }

    private Path war() throws IOException {
        return new War()
                .descriptor("""
                        <filter><filter-name>wicket</filter-name>
                          <filter-class>org.apache.wicket.protocol.http.WicketFilter</filter-class>
                          <init-param><param-name>applicationClassName</param-name>
                            <param-value>io.penstock.compatibility.more.WicketIT$Shop</param-value></init-param>
                          <init-param><param-name>configuration</param-name>
                            <param-value>deployment</param-value></init-param>
                        </filter>
                        <filter-mapping><filter-name>wicket</filter-name><url-pattern>/*</url-pattern></filter-mapping>
                        """)
                .with(
                        "WEB-INF/classes/io/penstock/compatibility/more/WicketIT$Counter.html",
                        "<html><body><span wicket:id=\"count\"></span> <a wicket:id=\"more\">more</a></body></html>")
                .classes(WicketIT.class)
                .classes(Counter.class)
                .with("WEB-INF/classes/io/penstock/compatibility/more/WicketIT$Counter$1.class", anonymous())
                .libraries(
                        "wicket-",
                        "slf4j-api",
                        "commons-io",
                        "commons-fileupload2",
                        "commons-collections4",
                        "jakarta.inject-api")
                .write(folder.resolve("wicket.war"));
    }

    private static byte[] anonymous() throws IOException {
        try (var in = WicketIT.class.getResourceAsStream("WicketIT$Counter$1.class")) {
            return in.readAllBytes();
        }
    }

    @Test
    void aWicketPageKeepsItsCounterBetweenRequests() throws Exception {
        Trial.of(folder, war()).allowing(Trial.Afterwards.CLASSES).run(site -> {
            HttpResponse<String> page = site.get("");
            assertEquals(200, page.statusCode(), page::body);
            assertTrue(page.body().contains(">0<"), page::body);
            page = follow(site, page);
            assertTrue(page.body().contains(">1<"), page::body);
            page = follow(site, page);
            assertTrue(page.body().contains(">2<"), page::body);
        });
    }

    private static HttpResponse<String> follow(Site site, HttpResponse<String> page) throws Exception {
        Matcher link = LINK.matcher(page.body());
        assertTrue(link.find(), page::body);
        return site.get(page.uri().resolve(link.group(1).replace("&amp;", "&")).toString());
    }
}
