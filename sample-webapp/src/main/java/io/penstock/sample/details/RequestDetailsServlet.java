package io.penstock.sample.details;

import io.penstock.sample.page.Html;
import io.penstock.sample.page.Page;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Shows the properties of a request to its sender. */
@WebServlet(name = "request details", urlPatterns = "/request/*")
public class RequestDetailsServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Page.of(request, "request", "Request")
                .add("""
                        <h1>Your request</h1>
                        <p class="lead">Everything that a servlet can learn about the request that asked for this page.</p>
                        """)
                .add("%s", table("Request line and mapping", Details.address(request)))
                .add("%s", table("Header fields", Details.headers(request)))
                .add("%s", table("Parameters", Details.parameters(request)))
                .add("%s", table("Cookies", Details.cookies(request)))
                .add("%s", table("Connection and server", Details.connection(request)))
                .shows(explanation(request.getContextPath()), "details/Details.java")
                .send(response);
    }

    private static Html table(String title, Iterable<Detail> details) {
        StringBuilder rows = new StringBuilder();
        for (Detail detail : details) {
            rows.append(Html.of("<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", detail.name(), detail.value())
                    .markup());
        }
        if (rows.isEmpty()) {
            return Html.of("<h2>%s</h2><p class=\"empty\">This request has none.</p>", title);
        }
        return Html.of(
                "<h2>%s</h2><div class=\"panel scroll\"><table class=\"details\">%s</table></div>",
                title, new Html(rows.toString()));
    }

    private static Html explanation(String context) {
        return Html.of("""
                <p>The servlet is mapped to <code>/request/*</code>, so it also answers
                <a href="%s/request/some/path;version=2?colour=teal&amp;colour=blue">a longer path with parameters</a>: see
                how path info, decoded path and query come apart, and which mapping matched
                (<code>getHttpServletMapping</code>).</p>
                """, context);
    }
}
