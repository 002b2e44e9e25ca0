package io.penstock.deploy;

import java.util.List;

/**
 * Completes URL patterns of Servlet 2.2, in which a path could lack the slash at its beginning. Descriptors of Servlet 2.2 and 2.3 have no
 * {@code version} attribute, and only descriptors without this attribute are changed. In all others, a path without the slash is an error.
 */
final class EarlyPatterns {
    private static final String PATTERN = "url-pattern";

    private EarlyPatterns() {}

    /** The descriptor, with a slash at the beginning of each path if it has no {@code version} attribute. */
    static XmlElement completed(XmlElement root) {
        return root.attributes().containsKey("version") ? root : within(root);
    }

    private static XmlElement within(XmlElement element) {
        if (element.name().equals(PATTERN)) {
            return isPathWithoutSlash(element.text()) ? withText(element, "/" + element.text()) : element;
        }
        List<XmlElement> children =
                element.children().stream().map(EarlyPatterns::within).toList();
        return new XmlElement(element.name(), element.attributes(), element.text(), children, element.at());
    }

    private static boolean isPathWithoutSlash(String pattern) {
        return !pattern.isEmpty() && !pattern.startsWith("/") && !pattern.startsWith("*");
    }

    private static XmlElement withText(XmlElement element, String text) {
        return new XmlElement(element.name(), element.attributes(), text, element.children(), element.at());
    }
}
