package io.penstock.tck;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/** Finds the classes of a kit that have tests. A complete run has results for all of these classes. */
final class TestClasses {
    /** Matches the class files that the runner includes. Nested classes are not included, because they are servlets. */
    private static final Pattern NAME = Pattern.compile("[^$]*(Tests?|IT)\\.class");

    /**
     * A text that each class file with a test contains. Some servlets have names like tests, but their class files do not contain this
     * text.
     */
    private static final String TEST = "Lorg/junit/jupiter/api/Test;";

    private TestClasses() {}

    static Set<String> of(JarFile tck) throws IOException {
        Set<String> names = new TreeSet<>();
        for (JarEntry entry : Collections.list(tck.entries())) {
            if (NAME.matcher(entry.getName()).matches() && hasTests(tck, entry)) {
                String path = entry.getName();
                names.add(path.substring(0, path.length() - ".class".length()).replace('/', '.'));
            }
        }
        return names;
    }

    private static boolean hasTests(JarFile tck, JarEntry entry) throws IOException {
        try (InputStream in = tck.getInputStream(entry)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).contains(TEST);
        }
    }

    /** Returns the given results, and a failure for each class without a result. A result can be missing because a JVM has crashed. */
    static List<Outcome> complete(List<Outcome> told, Set<String> classes) {
        Set<String> missing = new TreeSet<>(classes);
        told.forEach(outcome -> missing.remove(outcome.className()));
        List<Outcome> all = new ArrayList<>(told);
        missing.forEach(name -> all.add(new Outcome(name, "(the class)", Outcome.Kind.FAILED, "has not run")));
        return all;
    }
}
