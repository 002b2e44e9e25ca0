package io.penstock.deploy;

import io.penstock.limits.ApplicationKey;
import io.penstock.limits.OperatorFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A {@code web.xml} of the operator, from outside the application ({@code override-web-xml}). Its declarations have precedence over the
 * application's {@code web.xml}. The rules are those for the precedence of {@code web.xml} over fragments (Servlet 8.2.3). If the
 * operator's descriptor maps a URL pattern, mappings of the application for this pattern are removed. The listeners and filter mappings of
 * the operator's descriptor come after those of the application.
 */
final class OverrideDescriptor {
    private OverrideDescriptor() {}

    static WebXml read(Path file) throws DeploymentException {
        try (InputStream in = Files.newInputStream(file)) {
            return WebXmlParser.application(file.toString(), in);
        } catch (IOException e) {
            throw new DeploymentException(
                    ApplicationKey.OVERRIDE_WEB_XML.id() + ": " + file + ": " + OperatorFile.reason(e), e);
        }
    }

    /** @param origins receives the source location of each property that is not in the same file as its element */
    static WebXml over(WebXml own, WebXml override, Map<String, SourceLocation> origins) throws DeploymentException {
        Merge merge = new Merge(override, origins);
        merge.add(own);
        WebXml merged = merge.result();
        return new WebXml(
                own.at(),
                about(own.about(), override.about()),
                override.ordering().absolute() == null ? own.ordering() : override.ordering(),
                merged.contextParameters(),
                merged.servlets(),
                servletMappings(merged, override),
                merged.filters(),
                lastFirst(merged.filterMappings(), override.filterMappings().size()),
                lastFirst(merged.listeners(), override.listeners().size()),
                merged.session(),
                merged.welcomeFiles(),
                merged.errorPages(),
                merged.mimeMappings(),
                merged.localeEncodings(),
                override.requestEncoding() == null ? own.requestEncoding() : override.requestEncoding(),
                override.responseEncoding() == null ? own.responseEncoding() : override.responseEncoding(),
                merged.security(),
                merged.environment(),
                merged.jspConfig());
    }

    /**
     * Merges the general properties of the two descriptors. The version is always the version of the application's descriptor, because the
     * application was written for this version.
     */
    private static WebXml.About about(WebXml.About own, WebXml.About override) {
        return new WebXml.About(
                own.version(),
                own.metadataComplete() || override.metadataComplete(),
                own.name(),
                override.displayName() == null ? own.displayName() : override.displayName(),
                own.distributable() || override.distributable(),
                own.denyUncoveredMethods() || override.denyUncoveredMethods());
    }

    private static List<WebXml.ServletMapping> servletMappings(WebXml merged, WebXml override) {
        List<WebXml.ServletMapping> mappings = new ArrayList<>(override.servletMappings());
        Set<String> taken = new HashSet<>();
        mappings.forEach(mapping -> taken.addAll(mapping.patterns()));
        for (WebXml.ServletMapping mapping : merged.servletMappings()
                .subList(mappings.size(), merged.servletMappings().size())) {
            List<String> left = mapping.patterns().stream()
                    .filter(pattern -> !taken.contains(pattern))
                    .toList();
            if (!left.isEmpty()) {
                mappings.add(new WebXml.ServletMapping(mapping.servletName(), left, mapping.at()));
            }
        }
        return mappings;
    }

    /** Moves the first {@code count} items to the end of the list. */
    private static <T> List<T> lastFirst(List<T> items, int count) {
        List<T> turned = new ArrayList<>(items.subList(count, items.size()));
        turned.addAll(items.subList(0, count));
        return turned;
    }
}
