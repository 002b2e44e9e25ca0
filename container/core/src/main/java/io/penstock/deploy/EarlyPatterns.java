package io.penstock.deploy;

import java.util.List;

/**
 * Completes URL patterns of Servlet 2.2, where a path does not need a slash at the beginning. Descriptors of Servlet 2.2 and 2.3 have no
 * {@code version} attribute. Only descriptors without this attribute are changed. In all other descriptors, a path without the slash is an
 * error.
 */
final class EarlyPatterns {
    private static final String PATTERN = "url-pattern";

    private EarlyPatterns() {}

    /** Returns the descriptor. If it has no {@code version} attribute, each path gets a slash at the beginning. */
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
