package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Site;
import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the servlet of H2's console. The test logs in to an in-memory database and runs a query. */
class H2ConsoleIT {
    private static final Pattern SESSION = Pattern.compile("jsessionid=([0-9a-f]+)");

    @TempDir
    Path folder;

    private Path war() throws IOException {
        return new War().descriptor("""
                        <servlet><servlet-name>console</servlet-name>
                          <servlet-class>org.h2.server.web.JakartaWebServlet</servlet-class>
                          <load-on-startup>1</load-on-startup></servlet>
                        <servlet-mapping><servlet-name>console</servlet-name>
                          <url-pattern>/console/*</url-pattern></servlet-mapping>
                        """).libraries("h2-").write(folder.resolve("h2.war"));
    }

    @Test
    void theConsoleRunsAQuery() throws Exception {
        Trial.of(folder, war()).run(site -> {
            HttpResponse<String> start = site.get("console/");
            assertEquals(200, start.statusCode(), start::body);
            Matcher session = SESSION.matcher(start.body());
            assertTrue(session.find(), start::body);
            String id = "jsessionid=" + session.group(1);
            HttpResponse<String> login = site.form(
                    "console/login.do?" + id,
                    "driver=org.h2.Driver&url=" + encoded("jdbc:h2:mem:trial") + "&user=sa&password=");
            assertEquals(200, login.statusCode(), login::body);
            runQuery(site, id);
            assertEquals(200, site.get("console/logout.do?" + id).statusCode());
        });
    }

    private static void runQuery(Site site, String id) throws Exception {
        HttpResponse<String> answer = site.form("console/query.do?" + id, "sql=" + encoded("SELECT 6 * 7 AS ANSWER"));
        assertEquals(200, answer.statusCode(), answer::body);
        assertTrue(answer.body().contains("42"), answer::body);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
