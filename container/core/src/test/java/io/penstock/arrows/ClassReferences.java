package io.penstock.arrows;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The references from each class to other classes of its package, with the places of the references in the code. A class is identified by
 * its full name. A nested class is identified by the full name of its top-level class.
 */
final class ClassReferences {
    /** Maps each class to the classes that it uses, and each used class to descriptions of the places of use. */
    private final SortedMap<String, SortedMap<String, SortedSet<String>>> places = new TreeMap<>();

    ClassReferences(Collection<JavaClass> classes) {
        classes.forEach(each -> places.put(topLevel(each).getFullName(), new TreeMap<>()));
        for (JavaClass each : classes) {
            JavaClass from = topLevel(each);
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                JavaClass to = topLevel(dependency.getTargetClass().getBaseComponentType());
                if (!to.equals(from)
                        && to.getPackageName().equals(from.getPackageName())
                        && places.containsKey(to.getFullName())) {
                    places.get(from.getFullName())
                            .computeIfAbsent(to.getFullName(), key -> new TreeSet<>())
                            .add(dependency.getDescription());
                }
            }
        }
    }

    private static JavaClass topLevel(JavaClass type) {
        return type.getEnclosingClass().map(ClassReferences::topLevel).orElse(type);
    }

    /**
     * Returns the circles with at least two classes. Each class of a circle refers to all other classes of the circle, directly or through
     * further classes. No further class can be added to a circle.
     */
    List<SortedSet<String>> circles() {
        Map<String, Set<String>> reached = new HashMap<>();
        places.keySet().forEach(start -> reached.put(start, reached(start)));
        Set<String> done = new TreeSet<>();
        List<SortedSet<String>> circles = new ArrayList<>();
        for (String each : places.keySet()) {
            SortedSet<String> circle = new TreeSet<>(reached.get(each));
            circle.removeIf(other -> !reached.get(other).contains(each));
            if (circle.size() > 1 && done.addAll(circle)) {
                circles.add(circle);
            }
        }
        return circles;
    }

    /** Returns the classes that {@code start} refers to, directly or through other classes. The result can include {@code start}. */
    private Set<String> reached(String start) {
        Set<String> reached = new TreeSet<>();
        Queue<String> open = new ArrayDeque<>(Set.of(start));
        while (!open.isEmpty()) {
            places.get(open.remove()).keySet().stream().filter(reached::add).forEach(open::add);
        }
        return reached;
    }

    /** Returns the shortest path of references from a class back to itself. The class is at both ends of the path. */
    List<String> shortestCycle(String start) {
        Map<String, String> cameFrom = new HashMap<>();
        Queue<String> open = new ArrayDeque<>(Set.of(start));
        while (!cameFrom.containsKey(start)) {
            String from = open.remove();
            for (String to : places.get(from).keySet()) {
                if (cameFrom.putIfAbsent(to, from) == null) {
                    open.add(to);
                }
            }
        }
        LinkedList<String> path = new LinkedList<>(List.of(start));
        do {
            path.addFirst(cameFrom.get(path.getFirst()));
        } while (!path.getFirst().equals(start));
        return path;
    }

    /** Returns descriptions of the places at which the class {@code from} refers to the class {@code to}. */
    Set<String> places(String from, String to) {
        return places.get(from).get(to);
    }
}
