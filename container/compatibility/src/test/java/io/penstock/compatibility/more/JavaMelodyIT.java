package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests JavaMelody. The web fragment in JavaMelody's jar declares the filter of JavaMelody. The {@code web.xml} declares no filter. */
class JavaMelodyIT {

    @TempDir
    Path folder;

    @WebServlet("/hello")
    public static class Hello extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().print("hello");
        }
    }

    private Path war() throws IOException {
        return new War()
                .descriptor("<context-param><param-name>javamelody.storage-directory</param-name><param-value>"
                        + folder.resolve("javamelody") + "</param-value></context-param>")
                .classes(JavaMelodyIT.class)
                .libraries("javamelody-core", "jrobin")
                .write(folder.resolve("melody.war"));
    }

    @Test
    void theReportContainsTheRequestsOfTheApplication() throws Exception {
        Trial.of(folder, war()).allowing(Trial.Afterwards.CLASSES).run(site -> {
            for (int i = 0; i < 5; i++) {
                assertEquals("hello", site.get("hello").body());
            }
            HttpResponse<String> report = site.get("monitoring");
            assertEquals(200, report.statusCode(), report::body);
            assertTrue(report.body().contains("JavaMelody"), report::body);
            assertTrue(report.body().contains("hello"), report::body);
        });
    }
}
