package io.penstock.migrate;

import java.nio.file.Path;
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
        if (override.isEmpty()) {
            return "";
        }
        StringBuilder xml = new StringBuilder("""
                <?xml version="1.0" encoding="UTF-8"?>
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                """);
        override.values().forEach(xml::append);
        return xml.append("</web-app>\n").toString();
    }

    /** The text with the characters that XML reserves written as references. */
    static String xml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
