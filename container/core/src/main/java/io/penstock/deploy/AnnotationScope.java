package io.penstock.deploy;

import java.net.URL;
import java.security.CodeSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the annotations of a class are used (Servlet 8.2.3 and 15.5.1). They are ignored if a descriptor with {@code
 * metadata-complete} covers the class.
 *
 * @param applicationComplete whether {@code web.xml} is metadata-complete. Such a {@code web.xml} covers all classes
 * @param completeJars the URLs of the jars whose {@code web-fragment.xml} is metadata-complete
 */
record AnnotationScope(boolean applicationComplete, Set<String> completeJars) {

    AnnotationScope {
        completeJars = Set.copyOf(completeJars);
    }

    static AnnotationScope of(WebXml main, Collection<Fragment> fragments) {
        Set<String> complete = new HashSet<>();
        for (Fragment fragment : fragments) {
            if (fragment.xml().about().metadataComplete()) {
                complete.add(ApplicationFiles.location(fragment.jar()));
            }
        }
        return new AnnotationScope(main.about().metadataComplete(), complete);
    }

    boolean covers(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return covers(source == null ? null : source.getLocation());
    }

    /** @param location the location of the folder or jar of a class, or null if the location is unknown */
    boolean covers(@Nullable URL location) {
        return !applicationComplete && (location == null || !completeJars.contains(location.toString()));
    }
}
