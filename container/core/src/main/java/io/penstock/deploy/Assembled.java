package io.penstock.deploy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all sources of an application say together: {@code web.xml}, fragments and annotations (Servlet 8.2.3 and 8.4).
 *
 * @param xml the merged descriptor
 * @param multiparts what {@code @MultipartConfig} says, by class name
 * @param order the jars that take part, in their order
 * @param orderedLibs their file names if an order is declared, else null
 * @param scans what has been read of classes so far, by folder or jar
 */
record Assembled(
        WebXml xml,
        Map<String, WebXml.Multipart> multiparts,
        List<Path> order,
        @Nullable List<String> orderedLibs,
        Map<Path, AnnotationScanner.Scan> scans) {

    static Assembled of(ApplicationFiles files) throws DeploymentException, IOException {
        WebXml main = files.descriptor();
        List<Fragment> all = new ArrayList<>();
        for (Path jar : files.libraries()) {
            all.add(Fragment.read(jar));
        }
        List<Fragment> fragments = FragmentOrder.of(all, main.ordering().absolute());
        List<Path> order = fragments.stream().map(Fragment::jar).toList();
        List<String> orderedLibs = isOrdered(main, all) ? names(order) : null;
        Map<Path, AnnotationScanner.Scan> scans = new HashMap<>();
        Map<String, WebXml.Multipart> multiparts = new HashMap<>();
        if (main.about().metadataComplete()) {
            return new Assembled(main, Map.of(), order, orderedLibs, scans);
        }
        AnnotationScanner.Scan own = scan(scans, files.classes(), ApplicationFiles.CLASSES);
        multiparts.putAll(own.multiparts());
        Merge merge = new Merge(Merge.withAnnotations(main, own.declarations()));
        for (Fragment fragment : fragments) {
            merge.add(withAnnotations(fragment, scans, multiparts));
        }
        return new Assembled(merge.result(), Map.copyOf(multiparts), order, orderedLibs, scans);
    }

    /** A fragment that says it is complete needs no look at its classes. */
    private static WebXml withAnnotations(
            Fragment fragment, Map<Path, AnnotationScanner.Scan> scans, Map<String, WebXml.Multipart> multiparts)
            throws DeploymentException, IOException {
        if (fragment.xml().about().metadataComplete()) {
            return fragment.xml();
        }
        AnnotationScanner.Scan scan = scan(scans, fragment.jar(), Fragment.place(fragment.jar()));
        scan.multiparts().forEach(multiparts::putIfAbsent);
        return Merge.withAnnotations(fragment.xml(), scan.declarations());
    }

    private static AnnotationScanner.Scan scan(Map<Path, AnnotationScanner.Scan> scans, Path place, String name)
            throws DeploymentException, IOException {
        AnnotationScanner.Scan known = scans.get(place);
        if (known == null) {
            known = name.equals(ApplicationFiles.CLASSES)
                    ? AnnotationScanner.folder(place, name)
                    : AnnotationScanner.jar(place, name);
            scans.put(place, known);
        }
        return known;
    }

    private static boolean isOrdered(WebXml main, List<Fragment> fragments) {
        return main.ordering().absolute() != null
                || fragments.stream()
                        .anyMatch(fragment -> !fragment.xml().ordering().equals(WebXml.Ordering.NONE));
    }

    private static List<String> names(List<Path> jars) {
        return jars.stream().map(jar -> String.valueOf(jar.getFileName())).toList();
    }

    /** The jars that the absolute ordering leaves out. */
    Set<Path> excluded(ApplicationFiles files) {
        Set<Path> excluded = new HashSet<>(files.libraries());
        order.forEach(excluded::remove);
        return excluded;
    }

    /** All classes of the application but those of excluded jars, whatever the descriptor says of completeness. */
    TypeIndex index(ApplicationFiles files) throws DeploymentException {
        try {
            List<ClassFacts> classes = new ArrayList<>(
                    scan(scans, files.classes(), ApplicationFiles.CLASSES).classes());
            for (Path jar : order) {
                classes.addAll(scan(scans, jar, Fragment.place(jar)).classes());
            }
            return new TypeIndex(classes);
        } catch (IOException e) {
            throw new DeploymentException("cannot be read: " + e, e);
        }
    }
}
