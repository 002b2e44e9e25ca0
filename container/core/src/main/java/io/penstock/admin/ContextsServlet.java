package io.penstock.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The applications in service, and how many requests are in each. */
final class ContextsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** What would begin a line, move a terminal's cursor, or turn the text around: names are the applications'. */
    private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private final transient Watched watched;

    ContextsServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        List<Watched.Application> applications = watched.applications();
        if (Plain.wantsJson(request)) {
            Json json = new Json().array();
            for (Watched.Application application : applications) {
                json.object()
                        .field("path", application.path())
                        .field("name", application.name())
                        .field("requests", application.requests())
                        .end();
            }
            Plain.json(response, json.end());
            return;
        }
        StringBuilder text = new StringBuilder();
        for (Watched.Application application : applications) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-24s %6d requests  %s\n",
                    application.path(),
                    application.requests(),
                    HIDDEN.matcher(application.name()).replaceAll("?").strip()));
        }
        Plain.text(response, text.toString());
    }
}
