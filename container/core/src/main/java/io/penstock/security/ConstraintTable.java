package io.penstock.security;

import io.penstock.context.SecuritySettings.Collection;
import io.penstock.context.SecuritySettings.Constraint;
import io.penstock.mapping.Match;
import io.penstock.mapping.ServletMappings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The constraints of one context, combined by URL pattern and method. Each path matches only the best pattern, by the rules for servlet
 * mappings (Servlet 6.1, section 13.7.3). Immutable.
 *
 * <p>Thread: any. A lookup takes as long as finding the servlet of a path.
 */
final class ConstraintTable {
    private final ServletMappings<Methods> patterns;
    private final List<String> uncovered;
    private final Use use;

    /** Whether the table has constraints. */
    private enum Use {
        EMPTY,
        FILLED
    }

    /** The rules of one pattern: a rule for each method that a constraint names, and a rule for all other methods. */
    private record Methods(Map<String, Rule> named, Rule others) {}

    /** One occurrence of a URL pattern: the constraint, and the web resource collection that contains the pattern. */
    private record Mention(Constraint constraint, Collection resources) {
        /** Whether the constraint applies to the method (Servlet 6.1, section 13.7.1). */
        boolean covers(String method) {
            return resources.methods().isEmpty()
                    ? !resources.omittedMethods().contains(method)
                    : resources.methods().contains(method);
        }

        boolean coversUnnamedMethods() {
            return resources.methods().isEmpty();
        }
    }

    private ConstraintTable(ServletMappings<Methods> patterns, List<String> uncovered, Use use) {
        this.patterns = patterns;
        this.uncovered = List.copyOf(uncovered);
        this.use = use;
    }

    /**
     * @param roles the roles of the application
     * @param otherwise the rule for each method that no constraint covers, although its URL pattern has a constraint for other methods
     */
    static ConstraintTable of(List<Constraint> constraints, Set<String> roles, Rule otherwise) {
        Map<String, List<Mention>> byPattern = new LinkedHashMap<>();
        for (Constraint constraint : constraints) {
            for (Collection resources : constraint.resources()) {
                for (String pattern : resources.patterns()) {
                    byPattern
                            .computeIfAbsent(pattern, key -> new ArrayList<>())
                            .add(new Mention(constraint, resources));
                }
            }
        }
        ServletMappings.Builder<Methods> table = ServletMappings.builder();
        List<String> uncovered = new ArrayList<>();
        byPattern.forEach((pattern, mentions) -> {
            Set<String> names = new TreeSet<>();
            mentions.forEach(mention -> {
                names.addAll(mention.resources().methods());
                names.addAll(mention.resources().omittedMethods());
            });
            List<Constraint> ofOthers = constraints(mentions, Mention::coversUnnamedMethods);
            Map<String, Rule> named = new HashMap<>();
            Set<String> without = new TreeSet<>();
            for (String name : names) {
                List<Constraint> ofName = constraints(mentions, mention -> mention.covers(name));
                named.put(name, ofName.isEmpty() ? otherwise : Rule.of(ofName, roles));
                if (ofName.isEmpty()) {
                    without.add(name);
                }
            }
            table.add(
                    pattern, new Methods(Map.copyOf(named), ofOthers.isEmpty() ? otherwise : Rule.of(ofOthers, roles)));
            if (ofOthers.isEmpty()) {
                names.removeAll(without);
                uncovered.add("all methods except " + String.join(", ", names) + " at " + pattern);
            } else if (!without.isEmpty()) {
                uncovered.add(String.join(", ", without) + " at " + pattern);
            }
        });
        return new ConstraintTable(table.build(), uncovered, byPattern.isEmpty() ? Use.EMPTY : Use.FILLED);
    }

    private static List<Constraint> constraints(List<Mention> mentions, Predicate<Mention> wanted) {
        return mentions.stream().filter(wanted).map(Mention::constraint).toList();
    }

    boolean isEmpty() {
        return use == Use.EMPTY;
    }

    /**
     * Texts for the log. A text names a pattern, and the methods that no constraint covers although other methods of the pattern have
     * constraints.
     */
    List<String> uncovered() {
        return uncovered;
    }

    /** @param path the decoded path within the context. An empty path (the context path without a slash) is treated as the root */
    Rule rule(String path, String method) {
        if (use == Use.EMPTY) {
            return Rule.OPEN;
        }
        Match<Methods> match = patterns.match(path.isEmpty() ? "/" : path);
        if (match == null) {
            return Rule.OPEN;
        }
        Rule named = match.target().named().get(method);
        return named == null ? match.target().others() : named;
    }
}
