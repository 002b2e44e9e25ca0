package io.penstock.deploy;

import io.penstock.deploy.WebXml.About;
import io.penstock.deploy.WebXml.Cookie;
import io.penstock.deploy.WebXml.FilterDeclaration;
import io.penstock.deploy.WebXml.LoginConfig;
import io.penstock.deploy.WebXml.Parameter;
import io.penstock.deploy.WebXml.ServletDeclaration;
import io.penstock.deploy.WebXml.SessionConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds the declarations of fragments and annotations to a main descriptor (Servlet 8.2.3). Declarations of the main descriptor have
 * precedence. If two fragments contradict each other, and the main descriptor does not decide, the merge fails. Thread: one thread at a
 * time.
 */
final class Merge {
    private final WebXml main;
    private final WebXmlDraft draft;
    private final Set<String> servletsMappedByMain;
    private final Set<String> filtersMappedByMain;
    private final EnvironmentMerge environment;
    private final Map<String, SourceLocation> origins;
    private boolean distributable;

    /**
     * @param main the main descriptor, whose declarations have precedence
     * @param origins receives the source location of each property that is not in the same file as its element. The key consists of the
     *     name of the declaration and the name of the property
     */
    Merge(WebXml main, Map<String, SourceLocation> origins) {
        this.main = main;
        this.origins = origins;
        this.distributable = main.about().distributable();
        this.servletsMappedByMain = main.servletMappings().stream()
                .map(WebXml.ServletMapping::servletName)
                .collect(Collectors.toSet());
        this.filtersMappedByMain = main.filterMappings().stream()
                .map(WebXml.FilterMapping::filterName)
                .collect(Collectors.toSet());
        this.environment = new EnvironmentMerge(main.environment());
        this.draft = draftOf(main);
    }

    /** Returns the descriptor {@code main}, completed with the annotations of its classes. */
    static WebXml withAnnotations(WebXml main, WebXml annotations, Map<String, SourceLocation> origins)
            throws DeploymentException {
        Merge merge = new Merge(main, origins);
        merge.add(annotations);
        // Annotations cannot declare whether the application is distributable.
        merge.distributable = main.about().distributable();
        return merge.result();
    }

    /**
     * Makes a draft with all declarations of the descriptor, except for its environment elements. {@link EnvironmentMerge} merges the
     * environment elements.
     */
    static WebXmlDraft draftOf(WebXml xml) {
        WebXmlDraft draft = new WebXmlDraft(xml.at());
        draft.about = xml.about();
        draft.ordering = xml.ordering();
        draft.contextParameters.addAll(xml.contextParameters());
        draft.servlets.addAll(xml.servlets());
        draft.servletMappings.addAll(xml.servletMappings());
        draft.filters.addAll(xml.filters());
        draft.filterMappings.addAll(xml.filterMappings());
        draft.listeners.addAll(xml.listeners());
        draft.session = xml.session();
        draft.welcomeFiles.addAll(xml.welcomeFiles());
        draft.errorPages.addAll(xml.errorPages());
        draft.mimeMappings.addAll(xml.mimeMappings());
        draft.localeEncodings.addAll(xml.localeEncodings());
        draft.requestEncoding = xml.requestEncoding();
        draft.responseEncoding = xml.responseEncoding();
        draft.constraints.addAll(xml.security().constraints());
        draft.login = xml.security().login();
        draft.roles.addAll(xml.security().roles());
        draft.jspConfig.addAll(xml.jspConfig());
        return draft;
    }

    /** Adds the declarations of one fragment. */
    void add(WebXml fragment) throws DeploymentException {
        distributable &= fragment.about().distributable();
        addNamed(
                "context parameter",
                main.contextParameters(),
                draft.contextParameters,
                fragment.contextParameters(),
                Parameter::name,
                Parameter::value,
                Parameter::at);
        addServlets(fragment);
        addFilters(fragment);
        for (WebXml.ListenerDeclaration listener : fragment.listeners()) {
            if (draft.listeners.stream().noneMatch(known -> known.className().equals(listener.className()))) {
                draft.listeners.add(listener);
            }
        }
        draft.session = session(fragment.session());
        for (WebXml.Text file : fragment.welcomeFiles()) {
            if (draft.welcomeFiles.stream().noneMatch(known -> known.value().equals(file.value()))) {
                draft.welcomeFiles.add(file);
            }
        }
        addPages(fragment);
        draft.constraints.addAll(fragment.security().constraints());
        draft.login = settle(
                "login configuration",
                main.security().login(),
                draft.login,
                keepFirstPlace(draft.login, fragment.security().login()),
                fragment.at());
        draft.roles.addAll(fragment.security().roles());
        draft.jspConfig.addAll(fragment.jspConfig());
        environment.add(fragment.environment());
    }

    /**
     * Returns {@code added} with the source location of {@code soFar}. So {@link #settle} accepts two login configurations that differ only
     * in their source locations.
     */
    private static @Nullable LoginConfig keepFirstPlace(@Nullable LoginConfig soFar, @Nullable LoginConfig added) {
        return soFar == null || added == null
                ? added
                : new LoginConfig(added.method(), added.realm(), added.loginPage(), added.errorPage(), soFar.at());
    }

    WebXml result() {
        About about = main.about();
        draft.environment.addAll(environment.result());
        draft.about = new About(
                about.version(),
                about.metadataComplete(),
                about.name(),
                about.displayName(),
                distributable,
                about.denyUncoveredMethods());
        return draft.toWebXml();
    }

    private void addServlets(WebXml fragment) throws DeploymentException {
        for (ServletDeclaration added : fragment.servlets()) {
            int index = indexOf(draft.servlets, ServletDeclaration::name, added.name());
            if (index < 0) {
                draft.servlets.add(added);
            } else {
                ServletDeclaration ofMain = find(main.servlets(), ServletDeclaration::name, added.name());
                draft.servlets.set(index, servlet(ofMain, draft.servlets.get(index), added));
            }
        }
        for (WebXml.ServletMapping mapping : fragment.servletMappings()) {
            if (!servletsMappedByMain.contains(mapping.servletName())) {
                draft.servletMappings.add(mapping);
            }
        }
    }

    private ServletDeclaration servlet(
            @Nullable ServletDeclaration ofMain, ServletDeclaration soFar, ServletDeclaration added)
            throws DeploymentException {
        PropertyMerge<ServletDeclaration> properties =
                new PropertyMerge<>("servlet '" + added.name() + "'", ofMain, soFar, added, added.at(), origins);
        boolean hasCode = soFar.className() != null || soFar.jspFile() != null;
        return new ServletDeclaration(
                soFar.name(),
                hasCode && soFar.className() == null
                        ? null
                        : properties.of("servlet-class", ServletDeclaration::className),
                hasCode && soFar.jspFile() == null ? null : properties.of("jsp-file", ServletDeclaration::jspFile),
                parameters(properties, ServletDeclaration::parameters),
                properties.of("load-on-startup", ServletDeclaration::loadOnStartup),
                properties.of("enabled", ServletDeclaration::enabled),
                properties.of("async-supported", ServletDeclaration::asyncSupported),
                properties.of("multipart-config", ServletDeclaration::multipart),
                properties.of("run-as", ServletDeclaration::runAs),
                Stream.concat(soFar.roleReferences().stream(), added.roleReferences().stream())
                        .distinct()
                        .toList(),
                soFar.at());
    }

    private void addFilters(WebXml fragment) throws DeploymentException {
        for (FilterDeclaration added : fragment.filters()) {
            int index = indexOf(draft.filters, FilterDeclaration::name, added.name());
            if (index < 0) {
                draft.filters.add(added);
            } else {
                FilterDeclaration soFar = draft.filters.get(index);
                PropertyMerge<FilterDeclaration> properties = new PropertyMerge<>(
                        "filter '" + added.name() + "'",
                        find(main.filters(), FilterDeclaration::name, added.name()),
                        soFar,
                        added,
                        added.at(),
                        origins);
                draft.filters.set(
                        index,
                        new FilterDeclaration(
                                soFar.name(),
                                properties.of("filter-class", FilterDeclaration::className),
                                parameters(properties, FilterDeclaration::parameters),
                                properties.of("async-supported", FilterDeclaration::asyncSupported),
                                soFar.at()));
            }
        }
        for (WebXml.FilterMapping mapping : fragment.filterMappings()) {
            if (!filtersMappedByMain.contains(mapping.filterName())) {
                draft.filterMappings.add(mapping);
            }
        }
    }

    private static <T> List<Parameter> parameters(PropertyMerge<T> properties, Function<T, List<Parameter>> property)
            throws DeploymentException {
        List<Parameter> merged = new ArrayList<>(property.apply(properties.soFar));
        addNamed(
                properties.what + ": init-param",
                properties.ofMain == null ? List.of() : property.apply(properties.ofMain),
                merged,
                property.apply(properties.added),
                Parameter::name,
                Parameter::value,
                Parameter::at);
        return merged;
    }

    private @Nullable SessionConfig session(@Nullable SessionConfig added) throws DeploymentException {
        SessionConfig soFar = draft.session;
        if (soFar == null || added == null) {
            return soFar == null ? added : soFar;
        }
        PropertyMerge<SessionConfig> properties =
                new PropertyMerge<>("session-config", main.session(), soFar, added, added.at(), origins);
        return new SessionConfig(
                properties.of("session-timeout", SessionConfig::timeoutMinutes),
                cookie(main.session() == null ? null : main.session().cookie(), soFar.cookie(), added),
                soFar.tracking().isEmpty() ? added.tracking() : soFar.tracking(),
                soFar.at());
    }

    private @Nullable Cookie cookie(@Nullable Cookie ofMain, @Nullable Cookie soFar, SessionConfig fragment)
            throws DeploymentException {
        Cookie added = fragment.cookie();
        if (soFar == null || added == null) {
            return soFar == null ? added : soFar;
        }
        PropertyMerge<Cookie> properties =
                new PropertyMerge<>("cookie-config", ofMain, soFar, added, fragment.at(), origins);
        return new Cookie(
                properties.of("name", Cookie::name),
                properties.of("domain", Cookie::domain),
                properties.of("path", Cookie::path),
                properties.of("http-only", Cookie::httpOnly),
                properties.of("secure", Cookie::secure),
                properties.of("max-age", Cookie::maxAge),
                parameters(properties, Cookie::attributes));
    }

    private void addPages(WebXml fragment) throws DeploymentException {
        addNamed(
                "error page",
                main.errorPages(),
                draft.errorPages,
                fragment.errorPages(),
                page -> page.status() + "/" + page.exceptionType(),
                WebXml.ErrorPage::location,
                WebXml.ErrorPage::at);
        addNamed(
                "mime-mapping",
                main.mimeMappings(),
                draft.mimeMappings,
                fragment.mimeMappings(),
                WebXml.MimeMapping::extension,
                WebXml.MimeMapping::type,
                WebXml.MimeMapping::at);
        addNamed(
                "locale encoding",
                main.localeEncodings(),
                draft.localeEncodings,
                fragment.localeEncodings(),
                WebXml.LocaleEncoding::locale,
                WebXml.LocaleEncoding::encoding,
                WebXml.LocaleEncoding::at);
    }

    /**
     * Adds the declarations whose names are new. If two fragments declare the same name with different values, and the main descriptor does
     * not declare it, the merge fails.
     */
    private static <T> void addNamed(
            String what,
            List<T> ofMain,
            List<T> soFar,
            List<T> added,
            Function<T, String> name,
            Function<T, String> value,
            Function<T, SourceLocation> at)
            throws DeploymentException {
        for (T item : added) {
            T known = find(soFar, name, name.apply(item));
            if (known == null) {
                soFar.add(item);
            } else if (find(ofMain, name, name.apply(item)) == null
                    && !value.apply(known).equals(value.apply(item))) {
                throw conflict(what + " '" + name.apply(item) + "'", at.apply(item), at.apply(known));
            }
        }
    }

    private static <T> @Nullable T settle(
            String what, @Nullable T ofMain, @Nullable T soFar, @Nullable T added, SourceLocation at)
            throws DeploymentException {
        if (ofMain != null || added == null || Objects.equals(soFar, added)) {
            return ofMain != null ? ofMain : soFar;
        }
        if (soFar != null) {
            throw new DeploymentException(
                    at,
                    what + " is '" + added + "' here but '" + soFar + "' in another fragment; web.xml must define it");
        }
        return added;
    }

    private static DeploymentException conflict(String what, SourceLocation at, SourceLocation earlier) {
        return new DeploymentException(at, what + " differs from " + earlier + "; web.xml must define it");
    }

    private static <T> @Nullable T find(List<T> items, Function<T, String> name, String wanted) {
        int index = indexOf(items, name, wanted);
        return index < 0 ? null : items.get(index);
    }

    private static <T> int indexOf(List<T> items, Function<T, String> name, String wanted) {
        for (int i = 0; i < items.size(); i++) {
            if (name.apply(items.get(i)).equals(wanted)) {
                return i;
            }
        }
        return -1;
    }

    /** Merges the properties of a declaration that several files declare. */
    private record PropertyMerge<T>(
            String what, @Nullable T ofMain, T soFar, T added, SourceLocation at, Map<String, SourceLocation> origins) {

        <V> @Nullable V of(String property, Function<T, @Nullable V> getter) throws DeploymentException {
            String name = what + ": " + property;
            V before = getter.apply(soFar);
            V settled = settle(name, ofMain == null ? null : getter.apply(ofMain), before, getter.apply(added), at);
            if (before == null && settled != null) {
                origins.put(name, at);
            }
            return settled;
        }
    }
}
