package io.penstock.migrate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An application of Tomcat. Thread: one. */
final class App {
    /** The locations of the context: its own, and those of the aliases of its host. */
    final List<String> locations;

    /** A WAR file or a folder. */
    final Path content;

    /** Whether the server finds the application in the folder {@code webapps}. */
    final boolean inFolder;

    /** Elements of {@code web.xml} that are merged over those of the application, in their order; several keys make no element twice. */
    final Map<String, String> override = new LinkedHashMap<>();

    /** Children of {@code cookie-config} that are merged over those of the application. */
    final List<String> cookieConfig = new ArrayList<>();

    App(List<String> locations, Path content, boolean inFolder) {
        this.locations = List.copyOf(locations);
        this.content = content;
        this.inFolder = inFolder;
    }

    String location() {
        return locations.get(0);
    }

    /** The name for files: {@code ROOT}, {@code shop}, {@code www.example.org#shop}. */
    String fileName() {
        String name = location().replaceFirst("^/+", "").replace('/', '#').replaceAll("[^A-Za-z0-9.#_-]", "_");
        return name.isEmpty() ? "ROOT" : name;
    }

    /** The text of the override; empty if there is nothing to override. */
    String overrideXml() {
        if (override.isEmpty() && cookieConfig.isEmpty()) {
            return "";
        }
        StringBuilder xml = new StringBuilder("""
                <?xml version="1.0" encoding="UTF-8"?>
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                """);
        String tracking = "";
        for (Map.Entry<String, String> element : override.entrySet()) {
            if (element.getKey().equals("tracking-mode")) {
                tracking = element.getValue();
            } else {
                xml.append(element.getValue());
            }
        }
        if (!cookieConfig.isEmpty() || !tracking.isEmpty()) {
            xml.append("  <session-config>\n");
            if (!cookieConfig.isEmpty()) {
                xml.append("    <cookie-config>\n");
                cookieConfig.forEach(child -> xml.append("      ").append(child).append('\n'));
                xml.append("    </cookie-config>\n");
            }
            xml.append(tracking).append("  </session-config>\n");
        }
        return xml.append("</web-app>\n").toString();
    }

    /** The text with the characters that XML reserves written as references. */
    static String xml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
