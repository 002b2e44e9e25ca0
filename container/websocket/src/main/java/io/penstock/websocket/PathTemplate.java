package io.penstock.websocket;

import jakarta.websocket.DeploymentException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The path of a server endpoint: a path, or a URI template of level 1 whose variables are whole segments (WebSocket 2.2 section 3.1.1).
 * Immutable.
 */
final class PathTemplate {
    private static final String OPERATORS = "+#./;?&=,!@|";

    private final String path;

    /** The segments, decoded; the name of a variable in braces. A final slash has an empty segment. */
    private final List<String> segments;

    /** @throws DeploymentException if the path is malformed */
    PathTemplate(String path) throws DeploymentException {
        this.path = path;
        if (!path.startsWith("/")) {
            throw malformed("it must begin with a slash");
        }
        List<String> parsed = new ArrayList<>();
        Set<String> names = new HashSet<>();
        String[] given = path.substring(1).split("/", -1);
        for (int i = 0; i < given.length; i++) {
            String segment = given[i];
            if (segment.equals(".") || segment.equals("..") || (segment.isEmpty() && i < given.length - 1)) {
                throw malformed("it must not contain empty segments, /./ or /../");
            }
            if (!isVariable(segment)) {
                if (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0) {
                    throw malformed("a variable must be a whole segment");
                }
                parsed.add(decoded(segment));
                continue;
            }
            String name = segment.substring(1, segment.length() - 1);
            if (name.isEmpty()
                    || name.indexOf('{') >= 0
                    || name.indexOf('}') >= 0
                    || OPERATORS.indexOf(name.charAt(0)) >= 0) {
                throw malformed("'" + segment + "' is no variable of level 1");
            }
            if (!names.add(name)) {
                throw malformed("it has two variables with the name " + name);
            }
            parsed.add(segment);
        }
        segments = List.copyOf(parsed);
    }

    private DeploymentException malformed(String why) {
        return new DeploymentException("The path '" + path + "' of an endpoint is malformed: " + why);
    }

    private String decoded(String segment) throws DeploymentException {
        if (segment.indexOf('%') < 0) {
            return segment;
        }
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw (DeploymentException) malformed("an escape is invalid").initCause(e);
        }
    }

    private static boolean isVariable(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    /** The values of the variables in a path that this template matches, in the order of the template. */
    private Map<String, String> values(String[] of) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < of.length; i++) {
            String segment = segments.get(i);
            if (isVariable(segment)) {
                values.put(segment.substring(1, segment.length() - 1), of[i]);
            }
        }
        return values.isEmpty() ? Map.of() : values;
    }

    @Override
    public String toString() {
        return path;
    }

    /**
     * The endpoints of an application by their paths. A segment of a request prefers the endpoints that have the same text there, and
     * otherwise those that have a variable, from left to right, among the paths with as many segments.
     *
     * <p>Thread: any; {@link #add}: one at a time.
     */
    static final class Endpoints<E> {
        private final Map<Integer, Node<E>> bySegments = new ConcurrentHashMap<>();

        /**
         * Adds an endpoint.
         *
         * @return the endpoint that has an equivalent path already; null if {@code endpoint} has been added
         */
        @Nullable
        E add(PathTemplate template, E endpoint) {
            Node<E> node = bySegments.computeIfAbsent(template.segments.size(), none -> new Node<>());
            for (String segment : template.segments) {
                node = isVariable(segment)
                        ? node.variable()
                        : node.literals.computeIfAbsent(segment, none -> new Node<>());
            }
            Match<E> other = node.end;
            if (other == null) {
                node.end = new Match<>(endpoint, template);
            }
            return other == null ? null : other.endpoint;
        }

        void clear() {
            bySegments.clear();
        }

        /**
         * @param path the decoded path of the request inside its application
         * @param found gets the endpoint and the values of its variables
         * @return null if no endpoint matches
         */
        <R> @Nullable R find(String path, Found<E, R> found) {
            String[] segments =
                    path.isEmpty() ? new String[] {""} : path.substring(1).split("/", -1);
            Node<E> node = bySegments.get(segments.length);
            for (int i = 0; i < segments.length && node != null; i++) {
                Node<E> literal = node.literals.get(segments[i]);
                node = literal != null ? literal : segments[i].isEmpty() ? null : node.variable;
            }
            Match<E> match = node == null ? null : node.end;
            return match == null ? null : found.at(match.endpoint, match.template.values(segments));
        }

        /** Makes a result of a match. */
        @FunctionalInterface
        interface Found<E, R> {
            R at(E endpoint, Map<String, String> values);
        }
    }

    private record Match<E>(E endpoint, PathTemplate template) {}

    /** The paths with the same beginning. */
    private static final class Node<E> {
        private final Map<String, Node<E>> literals = new ConcurrentHashMap<>();
        private volatile @Nullable Node<E> variable;
        private volatile @Nullable Match<E> end;

        Node<E> variable() {
            Node<E> known = variable;
            if (known == null) {
                known = new Node<>();
                variable = known;
            }
            return known;
        }
    }
}
