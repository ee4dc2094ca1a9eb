/** The name that every reader of ZUGFeRD and Factur-X looks for. */
export const XML_NAME = 'factur-x.xml'

/**
 * Factur-X 1.0's additions to the XMP of a PDF/A-3: the name and profile of the invoice file, and the schema
 * of these properties, without which PDF/A allows no custom ones.
 */
export function facturxMetadata(): string {
  const property = (name: string, about: string) => `
              <rdf:li rdf:parseType="Resource">
                <pdfaProperty:name>${name}</pdfaProperty:name>
                <pdfaProperty:valueType>Text</pdfaProperty:valueType>
                <pdfaProperty:category>external</pdfaProperty:category>
                <pdfaProperty:description>${about}</pdfaProperty:description>
              </rdf:li>`
  return `
    <rdf:Description rdf:about="" xmlns:fx="${FACTURX}">
      <fx:DocumentType>INVOICE</fx:DocumentType>
      <fx:DocumentFileName>${XML_NAME}</fx:DocumentFileName>
      <fx:Version>1.0</fx:Version>
      <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
    </rdf:Description>
    <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
      <pdfaExtension:schemas>
        <rdf:Bag>
          <rdf:li rdf:parseType="Resource">
            <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
            <pdfaSchema:namespaceURI>${FACTURX}</pdfaSchema:namespaceURI>
            <pdfaSchema:prefix>fx</pdfaSchema:prefix>
            <pdfaSchema:property>
              <rdf:Seq>${[
                property('DocumentFileName', 'The name of the embedded XML document'),
                property('DocumentType', 'The type of the hybrid document in capital letters'),
                property('Version', 'The version of the standard applying to the embedded XML document'),
                property('ConformanceLevel', 'The conformance level of the embedded XML document'),
              ].join('')}
              </rdf:Seq>
            </pdfaSchema:property>
          </rdf:li>
        </rdf:Bag>
      </pdfaExtension:schemas>
    </rdf:Description>`
}

const FACTURX = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
