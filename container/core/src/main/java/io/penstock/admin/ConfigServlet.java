package io.penstock.admin;

import io.penstock.limits.ConfigTable;
import io.penstock.limits.Setting;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** The configuration that is in force: each key, its value, and where that is from. Secrets are not shown. */
final class ConfigServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Watched watched;

    ConfigServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (Plain.wantsJson(request)) {
            Plain.json(response, json(watched.configuration().settings()));
        } else {
            Plain.text(response, ConfigTable.of(watched.configuration()));
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
}
