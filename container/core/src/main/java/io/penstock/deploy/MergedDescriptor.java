package io.penstock.deploy;

import io.penstock.environment.DataSourceDefinition;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.OperatorFile;
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
 * The descriptor of an application, merged from {@code web.xml}, fragments and annotations (Servlet 8.2.3 and 8.4).
 *
 * @param xml the merged descriptor
 * @param dataSources the data sources that annotations define
 * @param order the jars that are used, in the order of their fragments
 * @param orderedLibs the file names of the jars in {@code order}, or null if no order is declared
 * @param scans the classes that have been read
 * @param exclusions the libraries that are not scanned, and the initialisers that do not run
 * @param scope decides whether the annotations of a class are used
 * @param origins the source locations of the properties that are not in the same file as their element
 */
record MergedDescriptor(
        WebXml xml,
        List<DataSourceDefinition> dataSources,
        List<Path> order,
        @Nullable List<String> orderedLibs,
        ClassScans scans,
        Exclusions exclusions,
        AnnotationScope scope,
        Map<String, SourceLocation> origins) {

    /** @param settings the operator's settings, which have precedence over the application's own settings */
    static MergedDescriptor of(ApplicationFiles files, ApplicationSettings settings)
            throws DeploymentException, IOException {
        Map<String, SourceLocation> origins = new HashMap<>();
        WebXml main = SettingsOverrides.over(files.descriptor(), settings, origins);
        Exclusions exclusions = Exclusions.of(main, settings);
        ClassScans scans = new ClassScans(files);
        MergedDescriptor merged = main.about().metadataComplete()
                ? complete(main, exclusions, files, scans, origins)
                : merged(main, exclusions, files, scans, origins);
        return settings.environment().isEmpty()
                ? merged
                : merged.with(SettingsOverrides.withEntries(merged.xml, settings.environment()));
    }

    private MergedDescriptor with(WebXml changed) {
        return new MergedDescriptor(changed, dataSources, order, orderedLibs, scans, exclusions, scope, origins);
    }

    /**
     * Makes the descriptor for a metadata-complete {@code web.xml}. Fragments are ignored, except for one purpose: if there is an absolute
     * ordering, initialisers of libraries outside the ordering do not run (Servlet 8.2.2).
     */
    private static MergedDescriptor complete(
            WebXml main,
            Exclusions exclusions,
            ApplicationFiles files,
            ClassScans scans,
            Map<String, SourceLocation> origins)
            throws DeploymentException, IOException {
        List<String> absolute = main.ordering().absolute();
        List<Path> order = files.libraries();
        if (absolute != null) {
            order = jars(FragmentOrder.of(fragments(files), absolute));
        }
        return new MergedDescriptor(
                main,
                List.of(),
                order,
                absolute == null ? null : names(order),
                scans,
                exclusions,
                AnnotationScope.of(main, List.of()),
                Map.copyOf(origins));
    }

    private static MergedDescriptor merged(
            WebXml main,
            Exclusions exclusions,
            ApplicationFiles files,
            ClassScans scans,
            Map<String, SourceLocation> origins)
            throws DeploymentException, IOException {
        List<Fragment> all = fragments(files);
        List<Fragment> fragments = FragmentOrder.of(all, main.ordering().absolute());
        List<Path> entries = new ArrayList<>(List.of(files.classes()));
        fragments.stream()
                .filter(fragment -> isRead(fragment, exclusions))
                .forEach(fragment -> entries.add(fragment.jar()));
        scans.read(entries);
        Merge merge =
                new Merge(Merge.withAnnotations(main, scans.of(files.classes()).declarations(), origins), origins);
        for (Fragment fragment : fragments) {
            // The classes of metadata-complete fragments and of excluded libraries have not been scanned.
            merge.add(
                    isRead(fragment, exclusions)
                            ? Merge.withAnnotations(
                                    fragment.xml(), scans.of(fragment.jar()).declarations(), origins)
                            : fragment.xml());
        }
        List<Path> order = jars(fragments);
        return new MergedDescriptor(
                merge.result(),
                dataSources(entries, scans),
                order,
                isOrdered(main, all) ? names(order) : null,
                scans,
                exclusions,
                AnnotationScope.of(main, all),
                Map.copyOf(origins));
    }

    private static boolean isRead(Fragment fragment, Exclusions exclusions) {
        return !fragment.xml().about().metadataComplete() && !exclusions.coversLibrary(fragment.jar());
    }

    private static List<Fragment> fragments(ApplicationFiles files) throws DeploymentException, IOException {
        List<Fragment> all = new ArrayList<>();
        for (Path jar : files.libraries()) {
            all.add(Fragment.read(jar));
        }
        return all;
    }

    private static List<Path> jars(List<Fragment> fragments) {
        return fragments.stream().map(Fragment::jar).toList();
    }

    private static List<DataSourceDefinition> dataSources(List<Path> entries, ClassScans scans)
            throws DeploymentException, IOException {
        List<DataSourceDefinition> found = new ArrayList<>();
        for (Path entry : entries) {
            for (ClassFacts facts : scans.of(entry).classes()) {
                found.addAll(DataSourceAnnotations.of(facts));
            }
        }
        return found;
    }

    private static boolean isOrdered(WebXml main, List<Fragment> fragments) {
        return main.ordering().absolute() != null
                || fragments.stream()
                        .anyMatch(fragment -> !fragment.xml().ordering().equals(WebXml.Ordering.NONE));
    }

    private static List<String> names(List<Path> jars) {
        return jars.stream().map(jar -> String.valueOf(jar.getFileName())).toList();
    }

    /** The file names of the jars that are used, in the order of their fragments. */
    List<String> names() {
        return names(order);
    }

    /** The jars that the absolute ordering leaves out. */
    Set<Path> excluded(ApplicationFiles files) {
        Set<Path> excluded = new HashSet<>(files.libraries());
        order.forEach(excluded::remove);
        return excluded;
    }

    /** An index of all classes of the application, even if the descriptor is metadata-complete. Classes in excluded jars are left out. */
    TypeIndex index(ApplicationFiles files) throws DeploymentException {
        try {
            List<Path> entries = new ArrayList<>(List.of(files.classes()));
            order.stream().filter(jar -> !exclusions.coversLibrary(jar)).forEach(entries::add);
            scans.read(entries);
            List<ClassFacts> classes = new ArrayList<>();
            for (Path entry : entries) {
                classes.addAll(scans.of(entry).classes());
            }
            return new TypeIndex(classes);
        } catch (IOException e) {
            throw new DeploymentException("cannot be read: " + OperatorFile.explained(e), e);
        }
    }
}
