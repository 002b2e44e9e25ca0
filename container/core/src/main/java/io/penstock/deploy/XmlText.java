package io.penstock.deploy;

import io.penstock.limits.ApplicationSetting;
import org.jspecify.annotations.Nullable;

/** Writes elements as text for people. Each element has its source location as a comment. Thread: one thread at a time. */
final class XmlText {
    private static final String STEP = "  ";
    private static final String HIDDEN = "*****";
    private static final String PASSWORD = "password";

    private final StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    private int depth;

    /** Opens an element. {@code attributes} is the text of the attributes, with a space before each attribute. */
    XmlText open(String name, String attributes, @Nullable SourceLocation at) {
        line("<" + name + attributes + ">", at);
        depth++;
        return this;
    }

    XmlText open(String name, @Nullable SourceLocation at) {
        return open(name, "", at);
    }

    XmlText close(String name) {
        depth--;
        line("</" + name + ">", null);
        return this;
    }

    /** Writes an element with text. Writes nothing if the text is null. */
    XmlText leaf(String name, @Nullable Object value, @Nullable SourceLocation at) {
        if (value != null) {
            String escaped = escaped(value.toString());
            line(escaped.isEmpty() ? "<" + name + "/>" : "<" + name + ">" + escaped + "</" + name + ">", at);
        }
        return this;
    }

    XmlText leaf(String name, @Nullable Object value) {
        return leaf(name, value, null);
    }

    XmlText comment(String words) {
        line("<!-- " + words.replace("--", "- -") + " -->", null);
        return this;
    }

    /** The value of a parameter or an entry, unless its name suggests a secret. */
    static String shown(String name, String value) {
        return ApplicationSetting.isSecret(name) ? HIDDEN : value;
    }

    /** Writes a parsed element with its children. Passwords, and values whose names suggest a secret, are not shown. */
    XmlText copy(XmlElement element, @Nullable SourceLocation parent) {
        return copy(element, parent, "");
    }

    /** @param nameOfValue the name that the enclosing element gives to a value; empty if it gives none */
    private XmlText copy(XmlElement element, @Nullable SourceLocation parent, String nameOfValue) {
        StringBuilder attributes = new StringBuilder();
        element.attributes().forEach((name, value) -> attributes
                .append(' ')
                .append(name)
                .append("=\"")
                .append(escaped(value))
                .append('"'));
        SourceLocation at = element.at().equals(parent) ? null : element.at();
        if (element.children().isEmpty()) {
            boolean isValue = element.name().equals("value") || element.name().equals("env-entry-value");
            String itsName = isValue ? nameOfValue : element.name().equals(PASSWORD) ? PASSWORD : "";
            return leaf(element.name(), shown(itsName, element.text()), onlyFile(at, parent));
        }
        open(element.name(), attributes.toString(), onlyFile(at, parent));
        String named = element.children().stream()
                .filter(child -> child.name().equals("name") || child.name().equals("env-entry-name"))
                .map(XmlElement::text)
                .findFirst()
                .orElse("");
        element.children().forEach(child -> copy(child, element.at(), named));
        return close(element.name());
    }

    /**
     * The location to write. Returns null if the enclosing element is in the same file, because the comment of the enclosing element names
     * this file.
     */
    private static @Nullable SourceLocation onlyFile(@Nullable SourceLocation at, @Nullable SourceLocation parent) {
        return at != null && parent != null && at.file().equals(parent.file()) ? null : at;
    }

    private void line(String content, @Nullable SourceLocation at) {
        text.append(STEP.repeat(depth)).append(content);
        if (at != null) {
            text.append(" <!-- ").append(at.toString().replace("--", "- -")).append(" -->");
        }
        text.append('\n');
    }

    private static String escaped(String value) {
        return value.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
