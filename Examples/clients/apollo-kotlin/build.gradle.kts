plugins { id("com.apollographql.apollo") version "4.3.3" }

dependencies {
  implementation("com.apollographql.apollo:apollo-runtime:4.3.3")
  implementation("com.apollographql.adapters:apollo-adapters-core:0.0.4")
}

apollo {
  service("hearth") {
    packageName.set("com.example.family.api")
    schemaFile.set(file("../../../schema.graphql"))
    srcDir("../documents")
    mapScalar("DateTime", "java.time.Instant", "com.apollographql.adapter.core.JavaInstantAdapter")
    mapScalar("Date", "java.time.LocalDate", "com.apollographql.adapter.core.JavaLocalDateAdapter")
    mapScalarToUpload("Upload")
    // Keeps the name of a value that was added to an enum later.
    sealedClassesForEnumsMatching.set(listOf(".*"))
  }
}
