package io.penstock.http;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code Forwarded} (RFC 7239). Each proxy appends an element or a line, so the last element comes from the nearest proxy. Elements
 * and lines before the client's element are ignored, because the client may have sent them. But each line that is read must be completely
 * well formed. Otherwise an unmatched quote could hide the elements that a proxy has appended.
 *
 * <p>Thread: any.
 */
public final class ForwardedField {
    private static final String NAME = "Forwarded";

    private final Predicate<InetAddress> trusted;
    private boolean found;
    private @Nullable ForwardedNode client;
    private Forwarding.@Nullable Scheme scheme;
    private @Nullable String host;

    private ForwardedField(Predicate<InetAddress> trusted) {
        this.trusted = trusted;
    }

    /** See {@link Forwarding.Reader#read}. */
    public static @Nullable Forwarding read(Fields fields, Predicate<InetAddress> trusted) throws Violation {
        ForwardedField field = new ForwardedField(trusted);
        boolean goesOn = true;
        for (int i = fields.size() - 1; i >= 0 && goesOn; i--) {
            if (fields.isNamed(i, NAME)) {
                goesOn = field.goesBack(new Line(fields.value(i)).elements());
            }
        }
        return field.found ? new Forwarding(field.client, field.scheme, field.host, 0) : null;
    }

    /** Reads the elements of one line, beginning with the last element. Returns whether the line before must be read, too. */
    private boolean goesBack(List<Element> elements) throws Violation {
        for (int i = elements.size() - 1; i >= 0; i--) {
            Element element = elements.get(i);
            found = true;
            if (scheme == null && element.scheme != null) {
                scheme = Forwarding.Scheme.read(element.scheme);
            }
            if (host == null && element.host != null) {
                host = Forwarding.host(element.host);
            }
            ForwardedNode node = element.node == null ? ForwardedNode.UNKNOWN : ForwardedNode.read(element.node);
            client = node;
            if (!node.isTrusted(trusted)) {
                return false;
            }
        }
        return true;
    }

    /** The statements of one proxy: a {@code forwarded-element} of the grammar. */
    private static final class Element {
        private @Nullable String node;
        private @Nullable String by;
        private @Nullable String scheme;
        private @Nullable String host;

        /**
         * Sets one of the four parameters. Other parameters are ignored.
         *
         * @throws Violation 400 if the element already has this parameter (RFC 7239 section 4)
         */
        private void add(String name, String value) throws Violation {
            switch (name.toLowerCase(Locale.ROOT)) {
                case "for" -> node = only(node, value);
                case "by" -> by = only(by, value);
                case "proto" -> scheme = only(scheme, value);
                case "host" -> host = only(host, value);
                default -> {}
            }
        }

        private static String only(@Nullable String before, String value) throws Violation {
            if (before != null) {
                throw malformed();
            }
            return value;
        }
    }

    /** Parses one line. */
    private static final class Line {
        private final String text;
        private int at;

        Line(String text) {
            this.text = text;
        }

        /** Reads {@code 1#forwarded-element}. Empty elements of the list are ignored (RFC 9110 section 5.6.1.2). */
        List<Element> elements() throws Violation {
            List<Element> elements = new ArrayList<>(2);
            skipBlanks();
            while (at < text.length()) {
                if (!is(',')) {
                    elements.add(element());
                    skipBlanks();
                    if (at < text.length() && !is(',')) {
                        throw malformed();
                    }
                }
                at++;
                skipBlanks();
            }
            return elements;
        }

        /** Reads {@code [ forwarded-pair ] *( ";" [ forwarded-pair ] )}. */
        private Element element() throws Violation {
            Element element = new Element();
            pair(element);
            while (is(';')) {
                at++;
                pair(element);
            }
            return element;
        }

        private void pair(Element element) throws Violation {
            int end = FieldSyntax.tokenEnd(text, at);
            if (end == at) {
                return;
            }
            String name = text.substring(at, end);
            at = end;
            if (!is('=')) {
                throw malformed();
            }
            at++;
            element.add(name, is('"') ? quoted() : token());
        }

        private String token() throws Violation {
            int end = FieldSyntax.tokenEnd(text, at);
            if (end == at) {
                throw malformed();
            }
            String token = text.substring(at, end);
            at = end;
            return token;
        }

        /** Reads a quoted-string (RFC 9110 section 5.6.4). Returns its text without quotes and escapes. */
        private String quoted() throws Violation {
            StringBuilder value = new StringBuilder();
            at++;
            while (!is('"')) {
                if (is('\\')) {
                    at++;
                }
                if (at >= text.length()) {
                    throw malformed();
                }
                value.append(text.charAt(at));
                at++;
            }
            at++;
            return value.toString();
        }

        private boolean is(char c) {
            return at < text.length() && text.charAt(at) == c;
        }

        private void skipBlanks() {
            while (at < text.length() && FieldSyntax.isBlank(text.charAt(at))) {
                at++;
            }
        }
    }

    private static Violation malformed() {
        return new Violation(400, "malformed Forwarded field of a proxy");
    }
}
