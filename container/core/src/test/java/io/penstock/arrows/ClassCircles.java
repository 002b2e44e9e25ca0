package io.penstock.arrows;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds circles of classes inside a package. Each class of a circle refers to all other classes of the circle, directly or through further
 * classes. So none of these classes can be read, tested or moved alone. {@link PackageArrows} does not find circles inside a package,
 * because it checks only references between packages. A nested class is treated as a part of its top-level class.
 *
 * <p>A circle of more than {@value #FEW} classes needs a row in {@link #ALLOWED}. The row has the exact number of classes in the circle. A
 * circle with more or fewer classes is a violation.
 */
public final class ClassCircles {
    /** A circle with at most this number of classes needs no row. An example is an interface with its implementations and their factory. */
    private static final int FEW = 4;

    /** The list is empty, because the project has no circle of more than {@value #FEW} classes. Add no rows. */
    private static final List<Allowed> ALLOWED = List.of();

    private static final int PLACES_SHOWN = 3;

    private final String root;
    private final List<Allowed> allowed;

    /** Checks the packages below {@code root} against {@link #ALLOWED}. */
    public ClassCircles(String root) {
        this(root, ALLOWED);
    }

    ClassCircles(String root, List<Allowed> allowed) {
        this.root = root;
        this.allowed = allowed;
    }

    /** Returns a rule with a violation for each circle that has no row, and for each row with a wrong number of classes. */
    public ArchRule rule() {
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(root + "..")
                .should(formOnlyCirclesInTheTable())
                .allowEmptyShould(true);
    }

    private ArchCondition<JavaClass> formOnlyCirclesInTheTable() {
        return new ArchCondition<>("form no circle that is not in the table") {
            private final List<JavaClass> all = new ArrayList<>();

            @Override
            public void check(JavaClass subject, ConditionEvents events) {
                all.add(subject); // finish() finds the circles, because it knows all classes
            }

            @Override
            public void finish(ConditionEvents events) {
                problems(all).forEach(problem -> events.add(SimpleConditionEvent.violated(all, problem)));
            }
        };
    }

    private Stream<String> problems(Collection<JavaClass> classes) {
        ClassReferences references = new ClassReferences(classes);
        List<Circle> circles = references.circles().stream()
                .filter(members -> members.size() > FEW)
                .map(members -> new Circle(packageOf(members.first()), members, references))
                .toList();
        SortedSet<String> packages = new TreeSet<>();
        circles.forEach(circle -> packages.add(circle.in));
        allowed.forEach(row -> packages.add(row.in));
        return packages.stream().flatMap(in -> problemsOfOnePackage(in, circles));
    }

    /** Compares the circles of a package with the rows of the package. Both lists are sorted by size. */
    private Stream<String> problemsOfOnePackage(String in, List<Circle> circles) {
        List<Circle> found = circles.stream()
                .filter(circle -> circle.in.equals(in))
                .sorted(comparing(Circle::size, Comparator.reverseOrder()))
                .toList();
        List<Allowed> rows = allowed.stream()
                .filter(row -> row.in.equals(in))
                .sorted(comparing(Allowed::classes, Comparator.reverseOrder()))
                .toList();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < Math.max(found.size(), rows.size()); i++) {
            if (i >= rows.size()) {
                problems.add(found.get(i) + "\n  The table has no row for it.");
            } else if (i >= found.size()) {
                problems.add(rows.get(i) + " is stale: the circle is gone. Remove the row.");
            } else if (found.get(i).size() > rows.get(i).classes) {
                problems.add(found.get(i) + "\n  It has grown: see " + rows.get(i) + ".");
            } else if (found.get(i).size() < rows.get(i).classes) {
                problems.add(rows.get(i) + " is stale: the circle has "
                        + found.get(i).size() + " classes now. Lower the row.");
            }
        }
        return problems.stream();
    }

    /** Returns the name of a package below the root: {@code http.multipart} for {@code io.penstock.http.multipart}. */
    private String packageOf(String type) {
        String in = type.substring(0, type.lastIndexOf('.'));
        return in.equals(root) ? "" : in.substring(root.length() + 1);
    }

    /** A row for one circle in a package below the root, with its exact number of classes. */
    record Allowed(String in, int classes, String reason) {
        @Override
        public String toString() {
            return "the row of " + classes + " classes in '" + in + "' (" + reason + ")";
        }
    }

    private record Circle(String in, SortedSet<String> members, ClassReferences references) {
        int size() {
            return members.size();
        }

        /** Returns the classes of the circle, and the shortest path of references from one of these classes back to itself. */
        @Override
        public String toString() {
            List<String> cycle = members.stream()
                    .map(references::shortestCycle)
                    .min(comparing(List::size))
                    .orElseThrow();
            StringBuilder text = new StringBuilder(size() + " classes in '" + in + "' need each other: "
                    + members.stream().map(Circle::simple).collect(joining(", ")) + "\n  One cycle among them: "
                    + cycle.stream().map(Circle::simple).collect(joining(" -> ")));
            for (int i = 1; i < cycle.size(); i++) {
                references.places(cycle.get(i - 1), cycle.get(i)).stream()
                        .limit(PLACES_SHOWN)
                        .forEach(place -> text.append("\n    ").append(withoutPackage(place)));
            }
            return text.toString();
        }

        private String withoutPackage(String place) {
            String first = members.first();
            return place.replace(first.substring(0, first.lastIndexOf('.') + 1), "");
        }

        private static String simple(String type) {
            return type.substring(type.lastIndexOf('.') + 1);
        }
    }
}
