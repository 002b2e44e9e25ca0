package io.penstock.deploy;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One element of a descriptor, with its file and line.
 *
 * @param name the local name. Namespaces are ignored, because each version of the descriptors has another namespace
 * @param text the trimmed characters of the element, without the characters of its children
 */
public record XmlElement(
        String name, Map<String, String> attributes, String text, List<XmlElement> children, SourceLocation at) {

    public XmlElement {
        attributes = Map.copyOf(attributes);
        children = List.copyOf(children);
    }

    /** The children called {@code name}, in order. */
    List<XmlElement> all(String name) {
        return children.stream().filter(child -> child.name.equals(name)).toList();
    }

    /** The only child called {@code name}, or null if there is none. */
    @Nullable
    XmlElement optional(String name) throws DeploymentException {
        List<XmlElement> found = all(name);
        if (found.size() > 1) {
            throw found.get(1).error("only one is allowed inside <" + this.name + ">");
        }
        return found.isEmpty() ? null : found.get(0);
    }

    XmlElement required(String name) throws DeploymentException {
        XmlElement found = optional(name);
        if (found == null) {
            throw error("lacks <" + name + ">");
        }
        return found;
    }

    @Nullable
    String optionalText(String name) throws DeploymentException {
        XmlElement found = optional(name);
        return found == null ? null : found.text;
    }

    /** The text of the only child called {@code name}. The child must exist, and its text must not be empty. */
    String requiredText(String name) throws DeploymentException {
        return required(name).nonEmptyText();
    }

    List<String> texts(String name) {
        return all(name).stream().map(XmlElement::text).toList();
    }

    String nonEmptyText() throws DeploymentException {
        if (text.isEmpty()) {
            throw error("is empty");
        }
        return text;
    }

    boolean booleanText() throws DeploymentException {
        return switch (text) {
            case "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default -> throw error("must be true or false, not '" + text + "'");
        };
    }

    @Nullable
    Boolean optionalBoolean(String name) throws DeploymentException {
        XmlElement found = optional(name);
        return found == null ? null : found.booleanText();
    }

    int intText() throws DeploymentException {
        long value = longText();
        if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
            throw error("is out of range: " + text);
        }
        return (int) value;
    }

    long longText() throws DeploymentException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw error("must be a whole number, not '" + text + "'");
        }
    }

    DeploymentException error(String message) {
        return new DeploymentException(at, "<" + name + "> " + message);
    }
}
