package io.penstock.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Serves two lists: the applications in service with the numbers of their running requests, and the failed deployments with their reasons.
 */
final class ContextsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** The characters that are replaced in names and reasons: line breaks, control characters of terminals, changes of text direction. */
    private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private final transient Watched watched;

    ContextsServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        List<Watched.Application> applications = watched.applications();
        List<Watched.Failure> failures = watched.failures();
        if (Plain.wantsJson(request)) {
            Plain.json(response, json(applications, failures));
        } else {
            Plain.text(response, text(applications, failures));
        }
    }

    private static Json json(List<Watched.Application> applications, List<Watched.Failure> failures) {
        Json json = new Json().object().name("serving").array();
        for (Watched.Application application : applications) {
            json.object()
                    .field("path", application.path())
                    .field("name", application.name())
                    .field("requests", application.requests())
                    .end();
        }
        json.end().name("failed").array();
        failures.forEach(failure -> Views.failure(json, failure));
        return json.end().end();
    }

    private static String text(List<Watched.Application> applications, List<Watched.Failure> failures) {
        StringBuilder text = new StringBuilder();
        for (Watched.Application application : applications) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-24s %6d requests  %s\n",
                    application.path(),
                    application.requests(),
                    visible(application.name())));
        }
        for (Watched.Failure failure : failures) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-24s not deployed at %s%s: %s\n",
                    failure.path(),
                    failure.at().truncatedTo(ChronoUnit.SECONDS),
                    failure.formerServes() ? ", its former version stays in service" : "",
                    visible(failure.reason())));
        }
        return text.toString();
    }

    private static String visible(String text) {
        return HIDDEN.matcher(text).replaceAll("?").strip();
    }
}
