package io.penstock.deploy;

import java.net.URL;
import java.security.CodeSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which classes' annotations count (Servlet 8.2.3 and 15.5.1). Annotations do not count if a descriptor with {@code
 * metadata-complete} covers the class.
 *
 * @param applicationComplete whether {@code web.xml} is metadata-complete, which covers all classes
 * @param completeJars URLs of jars whose fragments are metadata-complete
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

    /** @param location the location of the class's folder or jar, if it is known */
    boolean covers(@Nullable URL location) {
        return !applicationComplete && (location == null || !completeJars.contains(location.toString()));
    }
}
