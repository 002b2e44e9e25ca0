package io.penstock.admin;

import io.penstock.limits.Setting;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The configuration that is in force: each key, its value, and where that is from. Secrets are not shown. */
final class ConfigServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Watched watched;

    ConfigServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        List<Setting> settings = watched.configuration().settings();
        if (Plain.wantsJson(request)) {
            Plain.json(response, json(settings));
        } else {
            Plain.text(response, text(settings));
        }
    }

    private static Json json(List<Setting> settings) {
        Json json = new Json().object();
        for (Setting setting : settings) {
            json.name(setting.key().id())
                    .object()
                    .field("value", setting.shown())
                    .field("origin", setting.origin().toString())
                    .end();
        }
        return json.end();
    }

    private static String text(List<Setting> settings) {
        StringBuilder text = new StringBuilder();
        for (Setting setting : settings) {
            text.append(String.format(
                    Locale.ROOT, "%-24s = %-20s %s\n", setting.key().id(), setting.shown(), setting.origin()));
        }
        return text.toString();
    }
}
