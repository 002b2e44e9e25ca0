package io.penstock.deploy;

import java.util.ArrayList;
import java.util.List;

/** Reads paths in descriptors. Paths in descriptors are not percent-encoded (Servlet 14.2). */
final class DescriptorPath {
    private DescriptorPath() {}

    /** Reads a path inside the application, with or without a query. The segments {@code .} and {@code ..} are resolved. */
    static String location(XmlElement element) throws DeploymentException {
        String text = element.text();
        if (!text.startsWith("/")) {
            throw element.error("must start with '/', not '" + text + "'");
        }
        int query = text.indexOf('?');
        return query < 0
                ? canonical(text, element)
                : canonical(text.substring(0, query), element) + text.substring(query);
    }

    /** Reads a URL pattern. If it is a path, the segments {@code .} and {@code ..} are resolved. */
    static String pattern(XmlElement element) throws DeploymentException {
        return element.text().startsWith("/") ? canonical(element.text(), element) : element.text();
    }

    private static String canonical(String path, XmlElement element) throws DeploymentException {
        if (path.indexOf('\n') >= 0 || path.indexOf('\r') >= 0) {
            throw element.error("holds a line break: '" + path.replaceAll("\\R", " ") + "'");
        }
        if (!(path + "/").contains("/./") && !(path + "/").contains("/../")) {
            return path;
        }
        List<String> segments = new ArrayList<>();
        String[] parts = path.substring(1).split("/", -1);
        for (String part : parts) {
            if (part.equals("..")) {
                if (segments.isEmpty()) {
                    throw element.error("leads out of the application: '" + path + "'");
                }
                segments.remove(segments.size() - 1);
            } else if (!part.equals(".")) {
                segments.add(part);
            }
        }
        String last = parts[parts.length - 1];
        String end = !segments.isEmpty() && (last.equals(".") || last.equals("..")) ? "/" : "";
        return "/" + String.join("/", segments) + end;
    }
}
