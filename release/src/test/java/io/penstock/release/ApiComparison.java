package io.penstock.release;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.filter.JavadocLikePackageFilter;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import japicmp.model.JApiConstructor;
import japicmp.model.JApiField;
import japicmp.model.JApiMethod;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The changes of an API between two jars of a library. The API consists of the public and protected members of the exported packages. The
 * text of each change contains the name of the class and of the member.
 *
 * @param breaking the changes that break binary compatibility: a program that was compiled with the former jar can fail to link with the
 *     present jar
 * @param sourceOnly the changes that break only source compatibility: a compiled program still links, but its sources can need a change
 */
record ApiComparison(Set<String> breaking, Set<String> sourceOnly) {
    static ApiComparison of(Path former, Path present) {
        ModuleDescriptor formerModule = module(former);
        ModuleDescriptor presentModule = module(present);
        ApiComparison found = new ApiComparison(new TreeSet<>(), new TreeSet<>());
        if (!formerModule.name().equals(presentModule.name())) {
            found.breaking.add("module " + formerModule.name() + ": now named " + presentModule.name());
        }
        Set<String> formerPackages = exported(formerModule);
        Set<String> presentPackages = exported(presentModule);
        formerPackages.stream()
                .filter(name -> !presentPackages.contains(name))
                .forEach(name -> found.breaking.add("package " + name + ": no longer exported"));
        // Without a package filter, japicmp would also compare the packages that are not exported.
        if (!formerPackages.isEmpty()) {
            compare(former, present, formerPackages).forEach(found::add);
        }
        return found;
    }

    private static Iterable<JApiClass> compare(Path former, Path present, Set<String> packages) {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        // The two jars do not contain the classes of other libraries, such as Spring. So japicmp must not report these
        // classes as missing.
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        for (String name : packages) {
            options.getFilters().getIncludes().add(new JavadocLikePackageFilter(name, true));
        }
        return new JarArchiveComparator(options)
                .compare(
                        new JApiCmpArchive(former.toFile(), "former"), new JApiCmpArchive(present.toFile(), "present"));
    }

    private static ModuleDescriptor module(Path jar) {
        return ModuleFinder.of(jar).findAll().iterator().next().descriptor();
    }

    /** Returns the packages that every program can use. A jar without a module descriptor exports all its packages. */
    private static Set<String> exported(ModuleDescriptor module) {
        return module.isAutomatic()
                ? module.packages()
                : module.exports().stream()
                        .filter(export -> !export.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet());
    }

    private void add(JApiClass type) {
        String name = type.getFullyQualifiedName();
        int before = breaking.size();
        add(name, type);
        add(name, type.getSuperclass());
        type.getInterfaces()
                .forEach(implemented -> add(name + " implements " + implemented.getFullyQualifiedName(), implemented));
        for (JApiMethod method : type.getMethods()) {
            add(method.getOldMethod().or(method::getNewMethod).orElseThrow().getLongName(), method);
        }
        for (JApiConstructor constructor : type.getConstructors()) {
            add(
                    constructor
                            .getOldConstructor()
                            .or(constructor::getNewConstructor)
                            .orElseThrow()
                            .getLongName(),
                    constructor);
        }
        for (JApiField field : type.getFields()) {
            add(name + "." + field.getName(), field);
        }
        // japicmp can report a class as incompatible although the code above has found no reason.
        if (!type.isBinaryCompatible() && breaking.size() == before) {
            breaking.add(name + ": not binary compatible");
        }
    }

    private void add(String where, JApiCompatibility element) {
        for (JApiCompatibilityChange change : element.getCompatibilityChanges()) {
            String text = where + ": "
                    + change.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            if (!change.isBinaryCompatible()) {
                breaking.add(text);
            } else if (!change.isSourceCompatible()) {
                sourceOnly.add(text);
            }
        }
    }
}
