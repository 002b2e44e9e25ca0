package io.penstock.admin;

import io.penstock.limits.ApplicationSetting;
import io.penstock.limits.Configuration;
import io.penstock.limits.Origin;
import io.penstock.limits.Setting;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Serves the current configuration: each key with its value and its source. Secrets are hidden. */
final class ConfigServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Watched watched;

    ConfigServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (Plain.wantsJson(request)) {
            Plain.json(response, json(watched.configuration()));
        } else {
            Plain.text(response, ConfigTable.of(watched.configuration()));
        }
    }

    private static Json json(Configuration configuration) {
        Json json = new Json().object();
        for (Setting setting : configuration.settings()) {
            add(json, setting.key().id(), setting.shown(), setting.origin());
        }
        for (ApplicationSetting setting : configuration.applicationSettings()) {
            add(json, setting.id(), setting.shown(), setting.origin());
        }
        return json.end();
    }

    private static void add(Json json, String name, String value, Origin origin) {
        json.name(name)
                .object()
                .field("value", value)
                .field("origin", origin.toString())
                .end();
    }
}
