package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Site;
import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests CometD with 150 browsers whose long polls are open at the same time. All of them get a message that one more browser sends. The test
 * writes the messages of the protocol (Bayeux) itself.
 */
class CometdIT {
    private static final int BROWSERS = 150;
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** How long a poll waits, at the client and in CometD: longer than a busy machine needs for the requests of all browsers. */
    private static final Duration LONG = Duration.ofMinutes(30);

    private static final Pattern ID = Pattern.compile("\"clientId\":\"([^\"]+)\"");
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    private Path war() throws Exception {
        return new War()
                .descriptor("""
                        <servlet><servlet-name>cometd</servlet-name>
                          <servlet-class>org.cometd.server.http.jakarta.CometDServlet</servlet-class>
                          <init-param><param-name>timeout</param-name><param-value>%1$d</param-value></init-param>
                          <init-param><param-name>maxInterval</param-name><param-value>%1$d</param-value></init-param>
                          <load-on-startup>1</load-on-startup><async-supported>true</async-supported></servlet>
                        <servlet-mapping><servlet-name>cometd</servlet-name>
                          <url-pattern>/cometd/*</url-pattern></servlet-mapping>
                        """.formatted(LONG.toMillis()))
                .libraries("cometd-java-", "jetty-util-", "slf4j-api")
                .write(folder.resolve("cometd.war"));
    }

    /** A browser: its session of the protocol, and the cookie that CometD has set. */
    private record Browser(Site site, String id, String cookie) {

        static Browser connected(Site site) throws Exception {
            HttpResponse<String> shaken = sent(
                            site,
                            "",
                            "{'channel':'/meta/handshake','version':'1.0','supportedConnectionTypes':['long-polling']}")
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            Matcher id = ID.matcher(shaken.body());
            assertTrue(id.find(), shaken::body);
            String cookie = shaken.headers().firstValue("Set-Cookie").orElseThrow();
            Browser browser = new Browser(site, id.group(1), cookie.substring(0, cookie.indexOf(';')));
            // The first poll of a session is answered at once.
            browser.answered("'channel':'/meta/connect','connectionType':'long-polling'");
            return browser;
        }

        private static CompletableFuture<HttpResponse<String>> sent(Site site, String cookie, String message) {
            HttpRequest request = HttpRequest.newBuilder(site.uri("cometd/"))
                    .timeout(LONG)
                    .header("Content-Type", "application/json")
                    .header("Cookie", cookie)
                    .POST(HttpRequest.BodyPublishers.ofString("[" + message.replace('\'', '"') + "]"))
                    .build();
            return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        }

        CompletableFuture<HttpResponse<String>> send(String fields) {
            return sent(site, cookie, "{" + fields + ",'clientId':'" + id + "'}");
        }

        void answered(String fields) throws Exception {
            HttpResponse<String> answer = send(fields).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(200, answer.statusCode(), answer::body);
            assertTrue(answer.body().contains("\"successful\":true"), answer::body);
        }
    }

    private static void publish(Site site) throws Exception {
        List<Browser> browsers = new ArrayList<>();
        List<CompletableFuture<HttpResponse<String>>> polls = new ArrayList<>();
        for (int i = 0; i < BROWSERS; i++) {
            Browser browser = Browser.connected(site);
            browser.answered("'channel':'/meta/subscribe','subscription':'/news'");
            browsers.add(browser);
            polls.add(browser.send("'channel':'/meta/connect','connectionType':'long-polling'"));
        }
        Browser author = Browser.connected(site);
        assertFalse(polls.stream().anyMatch(CompletableFuture::isDone), "a poll waits until there is a message");
        author.answered("'channel':'/news','data':'rain'");
        for (CompletableFuture<HttpResponse<String>> poll : polls) {
            HttpResponse<String> answer = poll.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(200, answer.statusCode(), answer::body);
            assertTrue(answer.body().contains("\"data\":\"rain\""), answer::body);
        }
        browsers.add(author);
        for (Browser browser : browsers) {
            browser.answered("'channel':'/meta/disconnect'");
        }
    }

    @Test
    void longPollsOf150BrowsersGetTheMessageOfAnother() throws Exception {
        Trial.of(folder, war()).run(CometdIT::publish);
    }
}
